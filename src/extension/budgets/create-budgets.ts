import { plainSentence, t } from "../../engine/base/language.ts";
import path from "node:path";
import * as vscode from "vscode";
import { shortNumber } from "../../engine/base/format.ts";
import { readAmount, type UnitName } from "../../engine/budgets/amounts.ts";
import { shortAmount } from "../../engine/budgets/local-amount.ts";
import {
  levelNames,
  periodNames,
  usualPeriod,
  type Level,
  type LevelName,
  type NewBudget,
  type PeriodName,
} from "../../engine/budgets/budget.ts";
import { readConvoyId, convoyIdOf } from "../../engine/budgets/convoys.ts";
import type { BudgetProposal } from "../../engine/budgets/budgets-answers.ts";
import { limitPrompt, quickRow } from "./describe-proposal.ts";
import { levelDetail, levelName, periodDetail, periodName } from "./describe-budgets.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import { pickOne } from "../editor/pick.ts";
const maxNameLength = 60;
/** Id of a budget for all branches. */
const everything = "everything";

type Owner = Pick<NewBudget, "convoyId" | "members">;

/** Proposals for each level and period of a new budget, with the usage so far. */
export type ProposalSource = (owner: Owner) => Promise<readonly BudgetProposal[]>;

/** A choice in the first list: what the budget applies to. */
interface Offer {
  readonly owner: Owner;
  readonly name: string;
  /** The limit that the quick choice sets. */
  readonly level: LevelName;
}

/**
 * Asks for a new budget: one of two usual ones with a proposed limit, or, after More, whom it is for, which limits it
 * has, their period, and how high they are.
 */
export async function askForBudget(
  folder: string,
  branch: string | null,
  propose: ProposalSource,
): Promise<NewBudget | undefined> {
  const offers = offersFor(folder, branch);
  const known = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t("Checking past usage…") },
    () => Promise.all(offers.map(({ owner }) => propose(owner))),
  );
  const quick = offers.map((offer, index) => {
    const proposal = proposalOf(known[index] ?? [], offer.level, usualPeriod(offer.level));
    const name = withoutIcons(offer.name, maxNameLength);
    return { ...quickRow(name, proposal, t), offer, proposal };
  });
  const more = {
    label: t("More…"),
    detail: t("Limits per agent or session, another period, or another group."),
  };
  const picked = await pickOne<vscode.QuickPickItem & Partial<(typeof quick)[number]>>({
    title: t("Create Budget"),
    placeholder: t("What may agents use?"),
    items: [...quick, more],
  });
  if (picked === undefined) return undefined;
  const { offer, proposal } = picked;
  if (offer === undefined || proposal === undefined) return await askAll(offers, propose);
  const { level, period } = proposal;
  const limit = await askProposed(t("Create Budget: {0}, {1}", offer.name, periodName(period, t)), proposal);
  return limit === undefined ? undefined : { ...offer.owner, levels: { [level]: { ...limit, period } } };
}

function offersFor(folder: string, branch: string | null): Offer[] {
  const all = { convoyId: everything, members: { branches: ["*"] } };
  const ofBranch = branch === null ? undefined : convoyIdOf(branch);
  return [
    { owner: all, name: t("Everything in {0}", path.basename(folder)), level: "project" },
    ...(branch === null || ofBranch === undefined || !readConvoyId(ofBranch).ok
      ? []
      : [{ owner: { convoyId: ofBranch }, name: t("Branch {0}", branch), level: "convoy" } as const]),
  ];
}

async function askAll(offers: readonly Offer[], propose: ProposalSource): Promise<NewBudget | undefined> {
  const owner = await askOwner(offers);
  if (owner === undefined) return undefined;
  const known = await propose(owner);
  const names = await askLevels(owner.convoyId === everything);
  if (names === undefined) return undefined;
  const period = await askPeriod(usualPeriod(owner.convoyId === everything ? "project" : "convoy"));
  if (period === undefined) return undefined;
  const levels: [LevelName, Level][] = [];
  for (const [index, name] of names.entries()) {
    const title = t("Create Budget (4/4): {0}, {1} of {2}", levelName(name, t), index + 1, names.length);
    const limit = await askProposed(title, proposalOf(known, name, period));
    if (limit === undefined) return undefined;
    levels.push([name, { ...limit, period }]);
  }
  return { ...owner, levels: Object.fromEntries(levels) };
}

/** Falls back to a default limit without a proposal, for the user to change. */
function proposalOf(known: readonly BudgetProposal[], level: LevelName, period: PeriodName): BudgetProposal {
  const found = known.find((each) => each.level === level && each.period === period);
  return found ?? { level, period, limit: 100_000, basis: "default", source: plainSentence(""), used: null };
}

function askProposed(title: string, proposal: BudgetProposal): Promise<GivenAmount | undefined> {
  const { level, limit, used } = proposal;
  return askLimit({
    title,
    prompt: limitPrompt(proposal, levelDetail(level, t), t),
    value: shortNumber(limit),
    used: { tokens: used ?? 0 },
  });
}

async function askOwner(offers: readonly Offer[]): Promise<Owner | undefined> {
  const items: (vscode.QuickPickItem & { readonly owner?: Owner })[] = [
    ...offers.map(({ name, owner, level }) => ({
      label: withoutIcons(name, maxNameLength),
      detail:
        level === "project"
          ? t("All agents, on any branch.")
          : t("Agents on this branch, including its worktrees."),
      owner,
    })),
    {
      label: t("Another Group…"),
      detail: t("A group of agents, under a name you choose."),
    },
  ];
  const picked = await pickOne({
    title: t("Create Budget (1/4)"),
    placeholder: t("What is it for?"),
    items,
  });
  if (picked === undefined) return undefined;
  return picked.owner ?? (await askName());
}

async function askName(): Promise<Owner | undefined> {
  const name = await vscode.window.showInputBox({
    title: t("Create Budget (1/4)"),
    prompt: t(
      "The group's name. Sessions on a branch of this name belong to it; add others with purser budget set.",
    ),
    placeHolder: t("checkout"),
    validateInput: (text) => {
      const id = readConvoyId(text.trim());
      return text === "" || id.ok
        ? undefined
        : t("Use up to 64 characters of a-z, 0-9, - and _, starting with a letter or digit.");
    },
  });
  const id = readConvoyId(name?.trim() ?? "");
  return id.ok ? { convoyId: id.value } : undefined;
}

async function askLevels(isEverything: boolean): Promise<LevelName[] | undefined> {
  const items = levelNames.toReversed().map((name) => ({
    label: levelName(name, t),
    detail: levelDetail(name, t),
    picked: name === (isEverything ? "project" : "convoy"),
    name,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Create Budget (2/4)"),
    placeHolder: t("What should be limited? Choose at least one"),
    canPickMany: true,
  });
  return picked === undefined || picked.length === 0 ? undefined : picked.map(({ name }) => name);
}

async function askPeriod(first: PeriodName): Promise<PeriodName | undefined> {
  const items = periodNames.map((name) => ({
    label: periodName(name, t),
    detail: periodDetail(name, t),
    name,
  }));
  const picked = await pickOne({
    title: t("Create Budget (3/4)"),
    placeholder: t("Over what period is usage counted?"),
    items,
    first: items.find(({ name }) => name === first),
  });
  return picked?.name;
}

type GivenAmount = Pick<Level, "amount" | "unit">;

/** Asks for an amount of tokens, dollars or credits. */
export async function askLimit(options: {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  /** The limit must be more than this, if it is in the same unit. */
  readonly above?: GivenAmount;
  /** What counts against it from the start, in the units in which it is known. */
  readonly used?: Readonly<Partial<Record<UnitName, number>>>;
}): Promise<GivenAmount | undefined> {
  const { above, used = {}, ...shown } = options;
  const answer = await vscode.window.showInputBox({
    ...shown,
    validateInput: (text) => {
      const given = readAmount(text);
      if (given === undefined)
        return t("Enter tokens such as 200k or 1M, dollars such as $5, or credits such as 300 credits.");
      const { amount, unit } = given;
      if (above?.unit === unit && amount <= above.amount)
        return t("Enter more than {0}.", shortAmount(above, above.amount));
      const spent = used[unit] ?? 0;
      if (amount > spent) return undefined;
      const message = t(
        "{0} are already used, so this limit would be exceeded right away.",
        shortAmount(given, spent),
      );
      return { message, severity: vscode.InputBoxValidationSeverity.Warning };
    },
  });
  return answer === undefined ? undefined : readAmount(answer);
}
