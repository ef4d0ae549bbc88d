import * as z from "zod/mini";
import { joinSentences, t } from "../../base/language.ts";
import { shortNumber } from "../../base/local-format.ts";
import { cleanText } from "../../base/text.ts";
import type { HandoverDraft } from "../../continuity/continuity-answers.ts";
import { displayNameOf, type HandoverWord } from "../../continuity/handover.ts";
import type { Style } from "../style.ts";
import { asLine, isoTime } from "../terminal-text.ts";
import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import { handoverStates } from "../../ledger/entries.ts";

export const handoverJson = z.object({
  schema: z.literal(1),
  id: described(z.string(), "The document's."),
  file: described(z.string(), "The document, a Markdown file that may be edited before it is handed over."),
  session: described(z.string(), "The session whose work it hands over."),
  cli: described(z.nullable(z.string()), "That session's agent."),
  folder: z.nullable(z.string()),
  branch: z.nullable(z.string()),
  commit: z.nullable(z.string()),
  made: described(z.nullable(z.string()), "ISO time."),
  state: z.enum(handoverStates),
  outOfDate: described(z.array(sentenceSchema), "What changed in the project since it was made."),
  to: described(z.nullable(z.string()), "The agent that is to go on, or went on, with it."),
  successor: described(z.nullable(z.string()), "The session that went on with it."),
  tokens: described(
    z.object({ nextCall: z.nullable(z.number()), document: z.nullable(z.number()) }),
    "What the session's next call would carry, and what the document takes; estimated.",
  ),
});
export type HandoverJson = z.infer<typeof handoverJson>;

export function handoverToJson(draft: HandoverDraft, to: HandoverWord | null): HandoverJson {
  const { id, file, sessionId, program, folder, branch, headCommit, madeAt, state, changed } = draft;
  return {
    schema: 1,
    id,
    file,
    session: sessionId,
    cli: program,
    folder,
    branch,
    commit: headCommit,
    made: isoTime(madeAt),
    state,
    outOfDate: changed,
    to: to ?? draft.toProgram,
    successor: draft.toSession,
    tokens: { nextCall: draft.carried, document: draft.tokens },
  };
}

export function handoverText(draft: HandoverDraft, to: HandoverWord | null, style: Style): string {
  const { id, file, carried, tokens, changed, toSession } = draft;
  const saved =
    carried === null || tokens === null
      ? ""
      : ` ${t("Next call {0} → about {1} tokens (estimated), plus what every session starts with.", shortNumber(carried), shortNumber(tokens))}`;
  const who = to === null ? t("the same agent") : displayNameOf(to);
  const start = `purser handover ${id}${to === null ? "" : ` --to ${to}`} --start`;
  return [
    style.bold(cleanText(file)),
    `${t("Handover {0} of session {1}.", id, cleanText(draft.sessionId))}${saved}`,
    ...(changed.length === 0
      ? []
      : [style.warning(t("Out of date: {0}.", asLine(joinSentences(changed, "; "))))]),
    ...(toSession === null ? [] : [cleanText(t("Session {0} continued it.", toSession))]),
    t("Edit it if you like, then start {0} with it: {1}", who, start),
    "",
  ].join("\n");
}
