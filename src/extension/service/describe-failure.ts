import type { Failure } from "../../engine/base/result.ts";
import { refusalRemedy } from "../../engine/base/files.ts";
import type { LinkFailure, Remedy } from "./link.ts";
import type { Translate } from "../editor/describe-editor.ts";
import { inWords, type Sentence } from "../../engine/base/language.ts";

/** Why there are no figures, and what to do about it, in a sentence or two. */
export function explainFailure(
  { reason, detail }: Failure<LinkFailure>,
  t: Translate,
): { reason: string; remedy: Remedy } {
  return {
    reason: reasonInWords(reason, detail, t),
    remedy: reason === "outdated" ? "reload" : "retry",
  };
}

function reasonInWords(reason: LinkFailure, why: Sentence, t: Translate): string {
  const detail = inWords(why);
  switch (reason) {
    case "outdated":
      return t(
        "A newer version of purser is running on this machine. Reload the window to use it. ({0})",
        detail,
      );
    case "elsewhere":
      return t(
        "Purser's service runs on another machine or in another container that shares this home folder. End it there, or set PURSER_HOME to a folder of this machine's own. ({0})",
        detail,
      );
    case "unresponsive":
      return t(
        "Purser's service is running but does not answer. Try again, or stop it: purser service stop --force. ({0})",
        detail,
      );
    case "unsafe_place":
      return t(
        "Other users can write to purser's folder. Restrict its permissions, or set PURSER_HOME to another folder. ({0})",
        detail,
      );
    case "unwritable":
      // The reason already names what to do, such as about a full disk.
      if (refusalRemedy(why) !== null) return t("Purser's service did not start. Try again. ({0})", detail);
      return t(
        "Purser's folder is not writable. Make it writable, or set PURSER_HOME to another folder. ({0})",
        detail,
      );
    case "refused":
      return t("Purser's service does not know this window. Try again. ({0})", detail);
    case "forbidden":
      return t("Purser's service could not be started here. See the log. ({0})", detail);
    case "ended":
      return t("Purser's service keeps stopping. See the log. ({0})", detail);
    case "not_running":
    case "failed":
    case "cancelled":
      return t("Purser's service did not start. Try again. ({0})", detail);
  }
}
