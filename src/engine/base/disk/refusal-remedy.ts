import { sentence, type Sentence } from "../language.ts";

const remedies: Readonly<Record<string, () => Sentence>> = {
  ENOSPC: room,
  EDQUOT: room,
  EACCES: permission,
  EPERM: permission,
  EROFS: () => sentence("make its disk writable, or set PURSER_HOME to a folder on another disk"),
};

/** Tests for the codes of a full disk, or of a quota that is used up. */
export function isDiskFull(code: string): boolean {
  return remedies[code] === room;
}

const codes = new RegExp(`\\b(?:${Object.keys(remedies).join("|")})\\b`, "u");

/** Returns the remedy for a refusal by the system, found by the error code in its description; null for other reasons. */
export function refusalRemedy(why: Sentence): Sentence | null {
  const [code = ""] = codes.exec(why.text) ?? [];
  return remedies[code]?.() ?? null;
}

function room(): Sentence {
  return sentence(
    "free some space on that disk: nothing that was recorded is lost, and purser goes on by itself",
  );
}

function permission(): Sentence {
  return sentence(
    "allow yourself to read and write it (owner, permissions); purser service restart tries again at once",
  );
}

/** A refusal by the system and, where a person can do something, what. */
export function withRefusalRemedy(why: Sentence): Sentence {
  const remedy = refusalRemedy(why);
  return remedy === null ? why : sentence("{why}. What to do: {what}", { why: why, what: remedy });
}
