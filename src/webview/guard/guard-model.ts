import type {
  AddedException,
  GuardRuleBook,
  GuardRuleView,
  GuardFamily,
  FamilyMode,
} from "../../engine/guard/guard-answers.ts";
import type {
  HostMessage,
  GuardTrial,
  PanelState,
  ReplayState,
  ViewMessage,
  AskedReplay,
  PanelMessage,
  Span,
  Wish,
} from "./guard-protocol.ts";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t, translated } from "../../engine/base/language.ts";
import type { PageActions, PageContext } from "../components/page-context.ts";

/** The panel's whole state. Only `applyMessage` and the `with…` functions change it, and the page is rendered from it alone. */
export interface Model {
  readonly kept: PanelState;
  readonly view: ViewMessage | null;
  /** All rules, and whether the window has a folder. */
  readonly rules: { readonly book: GuardRuleBook; readonly hasProject: boolean } | null;
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** The user made a request, and the answer is pending. */
  readonly isAsking: boolean;
  /** A change was requested, and its effect is pending. */
  readonly isBusy: boolean;
  /** The user chooses the families to turn on. */
  readonly isTurningOn: boolean;
  /** The hit for which the user chooses an exception. */
  readonly choosing: string | null;
  /** The last exception, while it can be taken back. */
  readonly excepted: { readonly hit: string; readonly added: AddedException } | null;
  /** The replay of the user's own sessions; null before the first. */
  readonly replay: ReplayState | null;
  /** Null until they are known. */
  readonly trials: readonly GuardTrial[] | null;
  /** The user chooses the families of a trial. */
  readonly isTrying: boolean;
  /** The last action, in a sentence. */
  readonly did: string;
}

export function firstModel(kept: PanelState): Model {
  return {
    kept,
    view: null,
    rules: null,
    trouble: null,
    isAsking: true,
    isBusy: false,
    isTurningOn: false,
    choosing: null,
    excepted: null,
    replay: null,
    trials: null,
    isTrying: false,
    did: "",
  };
}

/** Applies a message of the host to the model. A failure removes nothing that is shown. */
export function applyMessage(model: Model, message: HostMessage): Model {
  switch (message.type) {
    case "view":
      return { ...model, view: message, trouble: null, isAsking: false, isBusy: false };
    case "rules":
      return { ...model, rules: { book: translatedBook(message.book), hasProject: message.hasProject } };
    case "excepted": {
      const { hit, added } = message;
      const did = t("{0} has an exception.", added.exception.rule);
      return { ...model, excepted: { hit, added }, choosing: null, trouble: null, isBusy: false, did };
    }
    case "undone":
      return {
        ...model,
        excepted: null,
        trouble: null,
        isBusy: false,
        did: t("The exception is taken back."),
      };
    case "replay":
      return { ...model, replay: message.state, did: describeEnd(model.replay, message.state) ?? model.did };
    case "trials":
      return { ...model, trials: message.trials, isBusy: false };
    case "error":
    case "offline":
      return { ...model, trouble: message, isAsking: false, isBusy: false };
  }
}

/** Rules that come with purser are worded in the user's language; the user's own stay as they are written. */
function translatedBook(book: GuardRuleBook): GuardRuleBook {
  const rules = book.rules.map((rule) => ({
    ...rule,
    message: translated(rule.message),
    remedy: translated(rule.remedy),
    fires: rule.fires.map(translated),
  }));
  return { ...book, rules };
}

export function withAsking(model: Model): Model {
  return { ...model, isAsking: true, did: "" };
}

/** Announces in a sentence that a replay began or ended; null while it continues. */
function describeEnd(before: ReplayState | null, now: ReplayState | null): string | null {
  if (now?.kind === before?.kind) return null;
  if (now?.kind === "playing") return t("The replay begins.");
  if (before?.kind !== "playing") return null;
  if (now?.kind === "failed") return now.message;
  if (now === null) return t("The replay is cancelled.");
  const rules = now.replay.rules.length;
  return plural(
    rules,
    t("The replay is over: 1 rule would have fired."),
    t("The replay is over: {0} rules would have fired.", wholeNumber(rules)),
  );
}

/** The rules by their ids. */
export function rulesById({ rules }: Model): ReadonlyMap<string, GuardRuleView> {
  return new Map(rules?.book.rules.map((rule) => [rule.id, rule]));
}

/** Actions of the Guard panel. */
export interface Actions extends PageActions {
  /** Posts a message that changes nothing on the page. */
  post(message: PanelMessage): void;
  showDays(days: Span): void;
  /** @param family null for all @param mode null for the mode of all */
  setMode(family: GuardFamily | null, mode: FamilyMode | null): void;
  /** Shows or hides the choice of families to turn on. */
  askFamilies(isShown: boolean): void;
  turnOn(families: readonly GuardFamily[]): void;
  /** Shows or hides the choice of families to try. */
  askTrial(isShown: boolean): void;
  startTrial(families: readonly string[]): void;
  /** Posts a change; buttons wait for its effect. */
  press(message: PanelMessage): void;
  /** Stores what is filtered. */
  filter(change: Partial<Pick<PanelState, "family" | "day" | "search" | "netBy">>): void;
  /** Stores what the next replay plays. */
  chooseReplay(change: Partial<AskedReplay>): void;
  /** Plays past sessions as they were chosen last, and scrolls to the result. */
  replay(): void;
  openRule(id: string): void;
  /** Shows or hides the choices of an exception. */
  choose(hit: string | null): void;
  except(hit: string, wish: Wish): void;
  undo(): void;
  /** Resumes a rule with advice that has fallen silent, or a format that is switched off. */
  wake(rule: string): void;
  /** Takes back that a format was switched on again at a time. */
  unwake(rule: string, at: number): void;
}

export type RenderContext = PageContext<Model, Actions>;
