import type {
  HostMessage,
  OverviewMessage,
  PanelState,
  Question,
  RelayCard,
  SessionMessage,
  WhyMessage,
} from "./ledger-protocol.ts";
import type { CardPart } from "../../engine/continuity/continuity-answers.ts";
import type { PageActions, PageContext } from "../components/page-context.ts";
import type { Metric } from "./describe-ledger.ts";

/** The panel's whole state. Only `heard` and the `with…` functions change it, and the page is rendered from it alone. */
export interface Model {
  readonly kept: PanelState;
  readonly overview: OverviewMessage | null;
  readonly session: SessionMessage | null;
  /** The newest explanations of the overview and of a session. */
  readonly whyOfDays: WhyMessage | null;
  readonly whyOfSession: WhyMessage | null;
  /** The card that hands a session over. */
  readonly card: RelayCard | null;
  /** The agent that the person chose for it. Null for the usual one. */
  readonly chosenAgent: string | null;
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** The compaction that a command shows; null for the newest. */
  readonly shownCompaction: string | null;
  /** The user made a request, and the answer is pending. */
  readonly isAsking: boolean;
}

export function firstModel(kept: PanelState): Model {
  return {
    kept,
    overview: null,
    session: null,
    whyOfDays: null,
    whyOfSession: null,
    card: null,
    chosenAgent: null,
    trouble: null,
    shownCompaction: null,
    isAsking: true,
  };
}

/** Applies a message of the host to the model. An outdated answer changes nothing. */
export function applyMessage(model: Model, message: HostMessage): Model {
  switch (message.type) {
    case "overview":
      if (!isSame(message.question, model.kept.question)) return model;
      return { ...model, overview: message, ...answered(model, model.kept.sessionId === null) };
    case "session":
      if (message.id !== model.kept.sessionId) return model;
      return { ...model, session: message, ...answered(model, true) };
    case "why":
      return message.sessionId === null
        ? { ...model, whyOfDays: message }
        : { ...model, whyOfSession: message };
    case "card":
      return { ...model, card: message.card };
    case "error":
      // A page that is not shown may fail silently: it is requested again when it is shown.
      if ((message.about === "session") !== (model.kept.sessionId !== null)) return model;
      return { ...model, trouble: message, isAsking: false };
    case "offline":
      return { ...model, trouble: message, isAsking: false };
    case "show":
      return { ...withSession(model, message.id), shownCompaction: message.compaction };
  }
}

/** The explanation of what is shown; null until it is there. */
export function shownWhy({ kept, whyOfDays, whyOfSession }: Model): WhyMessage["why"] | null {
  if (kept.sessionId !== null) return whyOfSession?.sessionId === kept.sessionId ? whyOfSession.why : null;
  const asked = whyOfDays?.question ?? null;
  return asked !== null && isSame(asked, kept.question) ? (whyOfDays?.why ?? null) : null;
}

function answered(model: Model, isAwaited: boolean): Pick<Model, "trouble" | "isAsking"> {
  return isAwaited
    ? { trouble: null, isAsking: false }
    : { trouble: model.trouble, isAsking: model.isAsking };
}

export function withQuestion(model: Model, question: Question): Model {
  const { range } = model.kept.question;
  const wider = isSame({ ...question, range }, question) ? model.kept.wider : null;
  return { ...model, kept: { ...model.kept, question, wider }, isAsking: true };
}

/** Shows only the days of a bar, until the range of before is chosen again. */
export function withDays(model: Model, since: string, until: string): Model {
  const { question, wider } = model.kept;
  const narrowed = withQuestion(model, { ...question, range: { kind: "between", since, until } });
  return { ...narrowed, kept: { ...narrowed.kept, wider: wider ?? question.range } };
}

/** Shows a session. @param sessionId null returns to the overview, which is still loaded */
export function withSession(model: Model, sessionId: string | null): Model {
  const session = model.session?.id === sessionId ? model.session : null;
  const isAsking = sessionId === null ? model.overview === null : session === null;
  return { ...model, kept: { ...model.kept, sessionId }, session, trouble: null, isAsking };
}

/** The parts of the card as the person edited them. */
export function editedParts({ card, kept }: Model): RelayCard["parts"] | null {
  if (card === null) return null;
  return kept.edited?.id === card.id ? kept.edited.parts : card.parts;
}

export function withAsking(model: Model): Model {
  return { ...model, trouble: null, isAsking: true };
}

export function isSame(one: Question, other: Question): boolean {
  const plain = ({ range, project, program }: Question) => {
    const days =
      range.kind === "last" ? [range.days] : range.kind === "between" ? [range.since, range.until] : [];
    return JSON.stringify([range.kind, days, project, program]);
  };
  return plain(one) === plain(other);
}

/** Actions of the Usage panel. */
export interface Actions extends PageActions {
  ask(question: Question): void;
  /** Shows only some days of those that are shown. */
  pickDays(since: string, until: string): void;
  openSession(id: string): void;
  /** Opens a session at a response of its main conversation. */
  openTurn(session: string, messageId: string): void;
  exportAs(format: "csv" | "json"): void;
  openTranscript(id: string): void;
  handOver(id: string): void;
  /** Changes a part of the card. */
  editCard(part: CardPart, text: string): void;
  chooseAgent(word: string): void;
  startCard(agent: string): void;
  openCard(): void;
  copyCard(): void;
  closeCard(): void;
  /** Adds facts to the new session's next prompt. */
  putBackCard(id: string, items: readonly string[]): void;
  getStarted(): void;
  setMetric(metric: Metric): void;
  setBreakdown(id: string): void;
  /** Moves the session's context chart to the response. */
  showTurn(messageId: string): void;
  /** Sends items that a compaction lost to the agent again. */
  putBack(session: string, diff: string, items: readonly string[]): void;
}

export type RenderContext = PageContext<Model, Actions>;
