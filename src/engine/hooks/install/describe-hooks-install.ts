import { t } from "../../base/text/l10n.ts";
import type { WithoutHttp } from "./installer.ts";
import type { OtherPeople } from "./other-people.ts";

/** Terminal messages about how hooks are installed. */

/** Explains why every hook is a command although it could be posted. */
export function describeWithoutHttp(why: WithoutHttp): string {
  const cost = t("every hook starts a process (about 50 ms) instead of being posted");
  switch (why.kind) {
    case "in_repository":
      return t("The file is under version control, so the token stays out of it: {0}.", cost);
    case "not_wanted":
      return t('hookPosting is "never" in the settings: {0}.', cost);
    case "too_old":
      return t("Claude Code posts no hooks before 2.1.63: {0}.", cost);
    case "no_address":
      return t(
        "No service has answered hooks here yet: every hook starts a process until this is run again.",
      );
    case "forbidden":
      return t("Claude Code may not post hooks: {0}.", cost);
    case "not_alone":
      return t(
        '{0}, and could be told what is posted while purser\'s service does not run: {1}. Where you trust them, "hookPosting": "always" in ~/.purser/settings.json posts all the same.',
        describePeople(why.people),
        cost,
      );
  }
}

function describePeople(people: OtherPeople): string {
  switch (people.kind) {
    case "nobody":
      return t("Nobody else can log in to this machine");
    case "account":
      return t("The account {0} can log in to this machine", people.name);
    case "directory":
      return t("Others whom {0} knows can log in to this machine", people.name);
    case "host":
      return t("Others can log in to the machine that this one shares its ports with");
    case "unknown":
      return t("It cannot be told whether others can log in to this machine");
  }
}
