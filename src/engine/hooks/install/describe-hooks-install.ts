import { sentence, type Sentence } from "../../base/language.ts";
import type { WithoutHttp } from "./installer.ts";
import type { OtherPeople } from "./other-people.ts";

/** Terminal messages about how hooks are installed. */

/** Explains why every hook is a command although it could be posted. */
export function describeWithoutHttp(why: WithoutHttp): Sentence {
  const cost = sentence("every hook starts a process (about 50 ms) instead of being posted");
  switch (why.kind) {
    case "in_repository":
      return sentence("The file is under version control, so the token stays out of it: {0}.", cost);
    case "not_wanted":
      return sentence('hookPosting is "never" in the settings: {0}.', cost);
    case "too_old":
      return sentence("Claude Code posts no hooks before 2.1.63: {0}.", cost);
    case "no_address":
      return sentence(
        "No service has answered hooks here yet: every hook starts a process until this is run again.",
      );
    case "forbidden":
      return sentence("Claude Code may not post hooks: {0}.", cost);
    case "not_alone":
      return sentence(
        '{0}, and could be told what is posted while purser\'s service does not run: {1}. Where you trust them, "hookPosting": "always" in ~/.purser/settings.json posts all the same.',
        describePeople(why.people),
        cost,
      );
  }
}

function describePeople(people: OtherPeople): Sentence {
  switch (people.kind) {
    case "nobody":
      return sentence("Nobody else can log in to this machine");
    case "account":
      return sentence("The account {0} can log in to this machine", people.name);
    case "directory":
      return sentence("Others whom {0} knows can log in to this machine", people.name);
    case "host":
      return sentence("Others can log in to the machine that this one shares its ports with");
    case "unknown":
      return sentence("It cannot be told whether others can log in to this machine");
  }
}
