import { html } from "lit";
import { t } from "../../../engine/base/language.ts";
import type { HandoverView } from "../../../engine/continuity/answers.ts";
import { agentNames } from "../../components/page-agents.ts";
import { outside } from "../../components/outside.ts";
import { link } from "../../components/table/table-cells.ts";
import { filled, spaced } from "../../components/text/sentences.ts";
import type { Actions } from "../ledger-model.ts";
import type { SessionWork } from "../protocol.ts";

/** The sessions before and after this one on the same work, and what became of the document between them. */
export function workLinks(work: SessionWork | null, actions: Actions): [string, unknown][] {
  if (work === null) return [];
  const { handedTo, cameFrom } = work;
  const rows: [string, unknown][] = [];
  if (cameFrom !== null)
    rows.push([
      t("Continues"),
      link(spaced(agent(cameFrom.program), outside(cameFrom.sessionId, 36)), () =>
        actions.openSession(cameFrom.sessionId),
      ),
    ]);
  if (handedTo !== null) rows.push([t("Handed over"), successor(handedTo, actions)]);
  return rows;
}

const states: Readonly<Record<HandoverView["state"], string>> = {
  made: t("handover written, not used yet"),
  taken: "",
  out_of_date: t("handover written; the project changed since"),
  ignored: t("a document was written, and no session began with it"),
};

function successor({ state, toProgram, toSession }: HandoverView, actions: Actions): unknown {
  if (toSession === null) return states[state];
  return html`${filled(
    t("to {0}"),
    link(spaced(agent(toProgram), outside(toSession, 36)), () => actions.openSession(toSession)),
  )}`;
}

function agent(program: string | null): unknown {
  return program === null ? t("a session") : outside(agentNames.of(program), 40);
}
