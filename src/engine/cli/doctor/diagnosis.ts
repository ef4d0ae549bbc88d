import { t } from "../../base/text/l10n.ts";
import { errorCode } from "../../base/error-code.ts";
import { cutMiddle } from "../../base/text/text.ts";
import type { Finding } from "./doctor-schema.ts";
import { said } from "../language/said.ts";

/** Maximum length of a finding's text, which may contain outside text. Characters. */
const maxLength = 600;

type About = string | null;

export function ok(id: string, what: string, about: About = null): Finding {
  return finding("ok", { id, what, about, remedy: null });
}

export function note(id: string, what: string, remedy: string | null, about: About = null): Finding {
  return finding("note", { id, what, about, remedy });
}

export function problem(id: string, what: string, remedy: string, about: About = null): Finding {
  return finding("problem", { id, what, about, remedy });
}

function finding(level: Finding["level"], { id, what, about, remedy }: Omit<Finding, "level">): Finding {
  const shown = (text: string) => cutMiddle(said(text), maxLength);
  return {
    id,
    level,
    about: about === null ? null : shown(about),
    what: shown(what),
    remedy: remedy === null ? null : shown(remedy),
  };
}

/** Returns a check's findings; the system's own errors become one. */
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
        t("It could not be checked: {0}", `${where}${code}`),
        t("Check the permissions of the file or folder."),
      ),
    ];
  }
}
