import { toSentence } from "../../base/sentence-schema.ts";
import { mapSentence, sentence, type Sentence } from "../../base/language.ts";
import { errorCode } from "../../base/result.ts";
import { cleanText, cutMiddle } from "../../base/text.ts";
import type { Finding } from "./doctor-schema.ts";

/** Findings may contain long texts of others. Characters. */
const maxLength = 600;

type About = string | null;

export function ok(id: string, what: Sentence, about: About = null): Finding {
  return finding("ok", { id, what, about, remedy: null });
}

export function note(
  id: string,
  what: Sentence,
  remedy: Sentence | string | null,
  about: About = null,
): Finding {
  return finding("note", { id, what, about, remedy: remedy === null ? null : toSentence(remedy) });
}

export function problem(id: string, what: Sentence, remedy: Sentence | string, about: About = null): Finding {
  return finding("problem", { id, what, about, remedy: toSentence(remedy) });
}

function finding(level: Finding["level"], { id, what, about, remedy }: Omit<Finding, "level">): Finding {
  const shown = (text: string) => cutMiddle(cleanText(text), maxLength);
  return {
    id,
    level,
    about: about === null ? null : shown(about),
    what: mapSentence(what, shown),
    remedy: remedy === null ? null : mapSentence(remedy, shown),
  };
}

/** A system error becomes a finding. */
export async function findingsOf(
  id: string,
  check: () => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    const code = errorCode(error);
    const where = error instanceof Error && "path" in error ? `${String(error.path)}: ` : "";
    return [
      problem(
        id,
        sentence("It could not be checked: {0}", `${where}${code}`),
        sentence("Check the permissions of the file or folder."),
      ),
    ];
  }
}
