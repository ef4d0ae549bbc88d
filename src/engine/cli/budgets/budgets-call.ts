import path from "node:path";
import { sentence, sentenceOf, inWords, t, type Sentence } from "../../base/language.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { readAmount, unitNames, type UnitName } from "../../budgets/amounts.ts";
import { limitWords } from "../../budgets/local-amount.ts";
import { cleanText } from "../../base/text.ts";
import { succeed, type Result } from "../../base/result.ts";
import {
  type PlannedCall,
  describeAnswer,
  checkBudget,
  type BudgetPorts,
  verdictOn,
} from "../../budgets/check.ts";
import type { Budgeted } from "../../budgets/budget.ts";
import { allBudgets, convoyOf } from "../../budgets/convoys.ts";
import {
  type Reservation,
  reserveTokens,
  releaseLease,
  leaseTime,
  recordUsage,
} from "../../budgets/spending.ts";
import { quoted, type ParsedOptions, wrongUsage } from "../args.ts";
import { tokenForms } from "./arguments.ts";
import type { BudgetInput } from "./budgets-actions.ts";
import { levelToJson } from "./budgets-outcome.ts";
import type { BudgetCheckJson, BudgetRecordJson } from "./budgets-schema.ts";
import { existsSync } from "node:fs";
import { gitBranch } from "../../budgets/git-branch.ts";
import { projectFolder } from "../../base/paths.ts";
import type { BudgetService } from "./budgets-access.ts";

/** Decides the project and, by its branch, the convoy. */
interface CallPlace {
  readonly from: "option" | "session" | "cwd";
  readonly folder: string;
  readonly branch: string | null;
  /** Why it is not the session's own place. */
  readonly why: Sentence | null;
}

function needsSession({ options }: Pick<BudgetInput, "options">): boolean {
  return options.has("session") && !options.has("cwd");
}

/** A session belongs to the project in which it began. `--cwd` overrides that. */
async function placeOf(
  { options, folder, session }: Pick<BudgetInput, "options" | "folder" | "session">,
  service: BudgetService | null,
): Promise<CallPlace> {
  const here = { folder, branch: gitBranch(folder) };
  if (options.has("cwd")) return { from: "option", ...here, why: null };
  const id = options.value("session");
  if (id === undefined) return { from: "cwd", ...here, why: null };
  const unknown = (why: Sentence): CallPlace => ({ from: "cwd", ...here, why });
  if (service === null) return unknown(sentence("purser's service cannot be reached"));
  const found = await service.whereSession(id);
  if (!found.ok) return unknown(found.detail);
  const began = found.value?.cwd ?? null;
  if (began === null || !path.isAbsolute(began))
    return unknown(sentence("the folder of session {0} is unknown", id));
  if (!existsSync(projectFolder(began)))
    return unknown(sentence("{0}, where session {1} began, is gone", began, id));
  // A call from inside the session uses the current folder: its branch may have changed since the last
  // response.
  const asks = id === session ? here.branch : null;
  const branch = asks ?? found.value?.branch ?? gitBranch(began);
  return { from: "session", folder: began, branch, why: null };
}

/** Names the project of a session's call. Empty without a session. */
function describePlace(
  { from, why }: CallPlace,
  { options, project }: Pick<BudgetInput, "options"> & { readonly project: string },
): string[] {
  const id = options.value("session");
  if (id === undefined) return [];
  switch (from) {
    case "option":
      return [cleanText(t("Project: {0} (from --cwd)", project))];
    case "session":
      return [cleanText(t("Project: {0} (session {1} started there)", project, id))];
    case "cwd":
      return [
        cleanText(
          t(
            "Project: {0} (the current folder's: {1})",
            project,
            why === null ? t("no session was given") : inWords(why),
          ),
        ),
      ];
  }
}

/** A result for other programs: JSON, the same as text, and an exit code. */
export interface CallDone {
  readonly json: BudgetCheckJson | BudgetRecordJson | { readonly schema: 1; readonly lease: string };
  readonly text: string;
  readonly code: number;
}

type Answer = Promise<Budgeted<CallDone> | Result<CallDone, "bad_argument">>;

/** For a call that is not allowed; 1 means that the check itself failed. */
const denied = 3;
const minute = 60_000;

export async function check(input: BudgetInput): Answer {
  const { options } = input;
  const caller = callerOf(input);
  if (!caller.ok) return caller;
  const amounts = readAmounts(options);
  if (!amounts.ok) return amounts;
  const time = readMinutes(options.value("for"));
  if (!time.ok) return time;
  return await input.withService(needOf(input), async (service) => {
    const place = await placeOf(input, service);
    await service?.sync(place.folder);
    const own = input.portsOf(place.folder);
    const call = await callAt(place, { id: input.id, caller: caller.value, ports: own });
    if (!call.ok) return call;
    const planned: PlannedCall = {
      ...call.value,
      agentType: options.value("type") ?? null,
      model: options.value("model") ?? null,
      projectedTokens: amounts.value.tokens,
      projectedUsd: amounts.value.usd,
      projectedCredits: amounts.value.credits,
    };
    const history = {
      recentTokens: async (of: { readonly agentId: string; readonly model: string | null }) => {
        const response = await service?.ask("budgetHistory", of);
        return response?.ok === true ? response.value.tokens : [];
      },
    };
    const ports = { ...own, history };
    const answer = options.has("reserve")
      ? await reserveTokens(planned, ports, time.value)
      : await checked(planned, ports);
    const parsed = { call: call.value, place, options, project: own.project };
    return answer.ok ? succeed(checkDone(answer.value, parsed)) : answer;
  });
}

async function checked(planned: PlannedCall, ports: BudgetPorts): Promise<Budgeted<Reservation>> {
  const answer = await checkBudget(planned, ports);
  return answer.ok ? succeed({ answer: answer.value, lease: null }) : answer;
}

interface ParsedCall {
  readonly call: Call;
  readonly place: CallPlace;
  readonly options: ParsedOptions;
  readonly project: string;
}

function checkDone({ answer, lease }: Reservation, parsed: ParsedCall): CallDone {
  const { call, place, project } = parsed;
  const { allowed, reason, remaining, usagePercent, level, projected, levels } = answer;
  const { tokens, usd, credits } = answer.amounts;
  const words = describeAnswer(answer);
  const aside =
    lease === null ? null : { id: lease.id, tokens, usd, credits, expiresAt: timeOf(lease.expiresAt) };
  const json: BudgetCheckJson = {
    schema: 1,
    project,
    ...call,
    place,
    allowed,
    reason,
    text: words,
    remaining,
    remainingTokens: remaining?.unit === "tokens" ? remaining.amount : null,
    usagePercent,
    level,
    projected: { tokens, usd, credits, basis: projected.basis, source: projected.source },
    lease: aside,
    levels: levels.map((state) => levelToJson({ ...state, verdict: verdictOn(state) })),
  };
  const left =
    remaining === null
      ? t("Allowed: no limit applies")
      : t("Allowed: {0} left after it", limitWords(remaining, remaining.amount));
  // The service sends an agent the same words.
  const text = [
    words.text === "" ? left : `${allowed ? t("Allowed.") : t("Not allowed.")} ${inWords(words)}`,
    ...(aside === null
      ? []
      : [
          t(
            "Reserved: {0} tokens as lease {1} until {2}",
            wholeNumber(aside.tokens),
            aside.id,
            aside.expiresAt,
          ),
        ]),
    ...describePlace(place, parsed),
  ];
  return { json, text: text.map(cleanText).join("\n"), code: allowed ? 0 : denied };
}

export async function record(input: BudgetInput): Answer {
  const { options } = input;
  const caller = callerOf(input);
  if (!caller.ok) return caller;
  const amounts = readAmounts(options);
  if (!amounts.ok) return amounts;
  const { tokens: usage, usd, credits } = amounts.value;
  if (usage === null) return wrongUsage(sentence("missing --tokens: {0}", sentenceOf(tokenForms)));
  const leaseId = options.value("lease") ?? null;
  if (options.has("total") && leaseId !== null)
    return wrongUsage(
      sentence(
        "--total and --lease cannot be combined: one is for all calls so far, the other for a single call",
      ),
    );
  const as = options.has("total") ? ({ kind: "total" } as const) : ({ kind: "call", leaseId } as const);
  const place = await placeWithService(input);
  const ports = input.portsOf(place.folder);
  const call = await callAt(place, { id: input.id, caller: caller.value, ports });
  if (!call.ok) return call;
  const recorded = await recordUsage({ call: call.value, usage, usd, credits, as }, ports);
  if (!recorded.ok) return recorded;
  const { tokens, isNew, beyondLease } = recorded.value;
  const { convoyId, agentId, sessionId } = call.value;
  const { project } = ports;
  const who = { convoyId, agentId, sessionId, place };
  const json: BudgetRecordJson = { schema: 1, project, ...who, tokens, isNew, beyondLease };
  const [count, agent] = [wholeNumber(tokens), cleanText(agentId)];
  const text = [
    isNew
      ? t("Recorded {0} tokens of {1}", count, agent)
      : t("Already recorded: {0} tokens of {1}", count, agent),
    ...describePlace(place, { options, project }),
  ];
  return succeed({ json, text: text.join("\n"), code: 0 });
}

export async function release(input: BudgetInput): Answer {
  const { id } = input;
  const place = await placeWithService(input);
  const done = await releaseLease(id, input.portsOf(place.folder));
  if (!done.ok) return done;
  return succeed({ json: { schema: 1, lease: id }, text: t("Released {0}", cleanText(id)), code: 0 });
}

/** A given session may belong to another folder. Only the service knows which. */
function needOf(input: BudgetInput): "running" | "started" {
  return needsSession(input) ? "started" : "running";
}

async function placeWithService(input: BudgetInput): Promise<CallPlace> {
  if (!needsSession(input)) return await placeOf(input, null);
  return await input.withService(needOf(input), (service) => placeOf(input, service));
}

interface Caller {
  readonly agentId: string;
  readonly sessionId: string;
  readonly runId?: string;
}

interface Call extends Caller {
  readonly convoyId: string | null;
}

/** An agent given by name alone has a session of that name. Default: the current session's main agent. */
function callerOf({ options, session }: BudgetInput): Result<Caller, "bad_argument"> {
  const agent = options.value("agent");
  const sessionId = options.value("session") ?? agent ?? session;
  if (sessionId === undefined) return wrongUsage(sentence("missing --agent NAME, --session ID, or both"));
  const run = options.value("run");
  return succeed({ agentId: agent ?? "main", sessionId, ...(run === undefined ? {} : { runId: run }) });
}

/** The given convoy, else that of the session or of the place's branch. */
async function callAt(
  { branch }: CallPlace,
  { id, caller, ports }: { readonly id: string; readonly caller: Caller; readonly ports: BudgetPorts },
): Promise<Budgeted<Call>> {
  if (id !== "") return succeed({ ...caller, convoyId: id });
  const budgets = await allBudgets(ports);
  if (!budgets.ok) return budgets;
  const convoyId = convoyOf(budgets.value, { sessionId: caller.sessionId, branches: [branch] });
  return succeed({ ...caller, convoyId });
}

const callForms: Readonly<Record<UnitName, string>> = {
  tokens: tokenForms,
  usd: "dollars such as 0.25",
  credits: "credits such as 12.5",
};

/** What a call uses, in each unit that the caller gives. */
function readAmounts(
  options: ParsedOptions,
): Result<Readonly<Record<UnitName, number | null>>, "bad_argument"> {
  const amounts: Record<UnitName, number | null> = { tokens: null, usd: null, credits: null };
  for (const unit of unitNames) {
    const text = options.value(unit);
    if (text === undefined) continue;
    const word = unit === "tokens" ? "" : unit;
    const isZero = /^0+(?:\.0*)?$/u.test(text);
    const value = isZero ? 0 : (readAmount(text.endsWith(word) ? text : `${text}${word}`)?.amount ?? null);
    if (value === null)
      return wrongUsage(
        sentence("--{0} takes {1}, not {2}", unit, sentenceOf(callForms[unit]), quoted(text)),
      );
    amounts[unit] = value;
  }
  return succeed(amounts);
}

function readMinutes(text: string | undefined): Result<number, "bad_argument"> {
  if (text === undefined) return succeed(leaseTime);
  const minutes = Number(text);
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= 1440) return succeed(minutes * minute);
  return wrongUsage(sentence("--for takes minutes, 1 to 1440, not {0}", quoted(text)));
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
