import { cleanText, cutEnd } from "../../engine/base/text.ts";
import type { HandoverView, StartOffer } from "../../engine/continuity/continuity-answers.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";
import type { Translate } from "../editor/describe-editor.ts";
import type { SessionLinks } from "./links.ts";

/** Texts of a session's item about handover documents. Empty if there are none. */
export function linkTexts({ to, from }: SessionLinks, t: Translate): string[] {
  return [
    ...(to === undefined ? [] : [handedOver(to, t)]),
    ...(from === undefined ? [] : [continued(from, t)]),
  ];
}

function handedOver({ state, toProgram }: HandoverView, t: Translate): string {
  const agent = toProgram === null ? null : agentNames.of(toProgram);
  switch (state) {
    case "taken":
      return agent === null ? t("handed over") : t("handed over to {0}", agent);
    case "made":
      return t("handover written");
    case "out_of_date":
      return t("handover out of date");
    case "ignored":
      return t("handover not used");
  }
}

function continued({ program, sessionId }: HandoverView, t: Translate): string {
  const id = sessionId.slice(0, 8);
  return program === null ? t("continues {0}", id) : t("continues {0} {1}", agentNames.of(program), id);
}

/** Characters of a title within a sentence, its quotation marks included: no place cuts it again. */
const maxNameLength = 44;

/** Names the session with the offered work: its title in quotation marks, else its agent and id. */
export function offerName({ title, program, sessionId }: StartOffer, t: Translate): string {
  if (title !== null) return `“${cutEnd(cleanText(title), maxNameLength - 2)}”`;
  const id = sessionId.slice(0, 8);
  return program === null ? t("session {0}", id) : `${agentNames.of(program)} ${id}`;
}
