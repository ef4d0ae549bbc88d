import path from "node:path";
import * as vscode from "vscode";
import { shortNumber } from "../engine/base/format.ts";
import {
  defaultLevels,
  defaults,
  levelNames,
  periodNames,
  type LevelName,
  type Levels,
  type NewBudget,
  type PeriodName,
} from "../engine/budget/budget.ts";
import { convoyIdOf } from "../engine/budget/convoy-of.ts";
import { readConvoyId } from "../engine/budget/convoy-id.ts";
import { levelDetail, levelName, periodName } from "./budget-words.ts";
import { withoutIcons } from "./outside-text.ts";
import { pickOne } from "./pick-one.ts";
import { tokensFrom } from "./token-input.ts";

const { t } = vscode.l10n;
const longestName = 60;
/** What a budget is called that holds for all branches. */
const everything = "everything";

/** Asks what a new budget is for, which limits it has, for how long they count, and how high they are. */
export async function askForBudget(folder: string, branch: string | null): Promise<NewBudget | undefined> {
  const whose = await askWhose(folder, branch);
  if (whose === undefined) return undefined;
  const names = await askLevels();
  if (names === undefined) return undefined;
  const period = await askPeriod();
  if (period === undefined) return undefined;
  const levels: Partial<Record<LevelName, Levels[LevelName]>> = {};
  for (const [index, name] of names.entries()) {
    const limit = await askLimit({
      title: t("Create Budget (4/4): {0}, {1} of {2}", levelName(name, t), index + 1, names.length),
      prompt: levelDetail(name, t),
      value: shortNumber(usual[name]),
    });
    if (limit === undefined) return undefined;
    levels[name] = { limit, period };
  }
  return { ...whose, levels: checkedLevels(levels) };
}

const usual: Readonly<Record<LevelName, number>> = {
  session: defaults.agent,
  agent: defaults.agent,
  convoy: defaults.convoy,
  project: defaults.convoy * 4,
};

type Whose = Pick<NewBudget, "convoyId" | "members">;

async function askWhose(folder: string, branch: string | null): Promise<Whose | undefined> {
  const ofBranch = branch === null ? undefined : convoyIdOf(branch);
  const all = {
    label: t("Everything in {0}", withoutIcons(path.basename(folder), longestName)),
    detail: t("All agents, on whatever branch they work."),
    whose: { convoyId: everything, members: { branches: ["*"] } } satisfies Whose,
  };
  const other = {
    label: t("Another Convoy…"),
    detail: t("Agents that work on one thing, by a name of your own."),
  };
  const items: (vscode.QuickPickItem & { readonly whose?: Whose })[] = [
    all,
    ...(branch === null || ofBranch === undefined || !readConvoyId(ofBranch).ok
      ? []
      : [
          {
            label: t("Branch {0}", withoutIcons(branch, longestName)),
            detail: t("Agents that work on this branch, its worktrees included."),
            whose: { convoyId: ofBranch },
          },
        ]),
    other,
  ];
  const picked = await pickOne({
    title: t("Create Budget (1/4)"),
    placeholder: t("What is it for?"),
    items,
  });
  if (picked === undefined) return undefined;
  return picked.whose ?? (await askName());
}

async function askName(): Promise<Whose | undefined> {
  const name = await vscode.window.showInputBox({
    title: t("Create Budget (1/4)"),
    prompt: t(
      "The convoy's name. Sessions on a branch of this name belong to it; purser budget set says which others do.",
    ),
    placeHolder: t("checkout"),
    validateInput: (text) => {
      const id = readConvoyId(text.trim());
      return text === "" || id.ok
        ? undefined
        : t("Write up to 64 of a-z, 0-9, - and _, beginning with a letter or digit.");
    },
  });
  const id = readConvoyId(name?.trim() ?? "");
  return id.ok ? { convoyId: id.value } : undefined;
}

async function askLevels(): Promise<LevelName[] | undefined> {
  const items = levelNames.toReversed().map((name) => ({
    label: levelName(name, t),
    detail: levelDetail(name, t),
    picked: name in defaultLevels,
    name,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Create Budget (2/4)"),
    placeHolder: t("What is limited? One at least"),
    canPickMany: true,
  });
  return picked === undefined || picked.length === 0 ? undefined : picked.map(({ name }) => name);
}

async function askPeriod(): Promise<PeriodName | undefined> {
  const items = periodNames.map((name) => ({ label: periodName(name, t), detail: periodDetail(name), name }));
  const picked = await pickOne({
    title: t("Create Budget (3/4)"),
    placeholder: t("For how long does what is used count?"),
    items,
    first: items.find(({ name }) => name === defaults.period),
  });
  return picked?.name;
}

function periodDetail(name: PeriodName): string {
  switch (name) {
    case "run":
      return t("Each run begins at nothing.");
    case "day":
      return t("From midnight, your time.");
    case "week":
      return t("From Monday.");
    case "month":
      return t("From the first of the month.");
  }
}

/** A number of tokens. */
export async function askLimit(options: {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  /** What it must be more than. */
  readonly above?: number;
}): Promise<number | undefined> {
  const { above = 0, ...shown } = options;
  const answer = await vscode.window.showInputBox({
    ...shown,
    validateInput: (text) => {
      const tokens = tokensFrom(text);
      if (tokens === undefined) return t("Write a number of tokens, such as 200000, 200k or 1M.");
      return tokens > above ? undefined : t("Write more than {0}.", shortNumber(above));
    },
  });
  return answer === undefined ? undefined : tokensFrom(answer);
}

/** Members that are undefined are none. */
function checkedLevels(levels: Partial<Record<LevelName, Levels[LevelName]>>): Levels {
  return Object.fromEntries(Object.entries(levels).filter(([, level]) => level !== undefined));
}
