import type { WithoutHttp } from "./installer.ts";
import type { OtherPeople } from "./other-people.ts";

/** Terminal messages about how hooks are installed. */

/** Explains why every hook is a command although it could be posted. */
export function describeWithoutHttp(why: WithoutHttp): string {
  const cost = "every hook starts a process (about 50 ms) instead of being posted";
  switch (why.kind) {
    case "in_repository":
      return `The file is under version control, so the token stays out of it: ${cost}.`;
    case "not_wanted":
      return `hookPosting is "never" in the settings: ${cost}.`;
    case "too_old":
      return `Claude Code posts no hooks before 2.1.63: ${cost}.`;
    case "no_address":
      return "No service has answered hooks here yet: every hook starts a process until this is run again.";
    case "forbidden":
      return `Claude Code may not post hooks: ${cost}.`;
    case "not_alone":
      return `${describePeople(why.people)}, and could be told what is posted while purser's service does not run: ${cost}. Where you trust them, "hookPosting": "always" in ~/.purser/settings.json posts all the same.`;
  }
}

function describePeople(people: OtherPeople): string {
  switch (people.kind) {
    case "nobody":
      return "Nobody else can log in to this machine";
    case "account":
      return `The account ${people.name} can log in to this machine`;
    case "directory":
      return `Others whom ${people.name} knows can log in to this machine`;
    case "host":
      return "Others can log in to the machine that this one shares its ports with";
    case "unknown":
      return "It cannot be told whether others can log in to this machine";
  }
}
