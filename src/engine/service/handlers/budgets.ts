import type { Disposable } from "../../base/disposable.ts";
import { fail, succeed } from "../../base/result.ts";
import type { BudgetBoard } from "../../budgets/live/feed.ts";
import type { ProjectBudgets } from "../../budgets/answers.ts";
import type { budgetRequests } from "../../wire/budgets.ts";
import { feature, type Client, type Feature, type Handlers } from "./feature.ts";
import { LatestSender } from "../../rpc/latest-sender.ts";

const missing = fail("no_budgets", "this service holds no budgets");

type Board = Pick<
  BudgetBoard,
  "read" | "follow" | "propose" | "reckon" | "recentTokens" | "offer" | "setLimit"
>;

/**
 * Budgets for clients, each of which may follow some.
 * @param part undefined where a service has none
 */
export function budgetFeature(part: Board | undefined): Feature {
  return feature({ part, missing, handlers });
}

function handlers(client: Client): Handlers<Board, keyof typeof budgetRequests> {
  let following: Disposable | undefined;
  let attempts = 0;
  const sender = new LatestSender((projects: ProjectBudgets[]) =>
    client.notify("budgetsChanged", { projects }),
  );
  const letGo = () => {
    following?.dispose();
    following = undefined;
    sender.clear();
  };
  client.owned.add({ dispose: letGo });
  return {
    budgetsRead: async (board, { folders }) => succeed({ projects: await board.read(folders) }),
    async budgetsFollow(board, { folders }) {
      letGo();
      const attempt = ++attempts;
      const projects = await board.read(folders);
      // A client that left meanwhile, or now follows other folders, does not follow these.
      if (folders.length > 0 && !client.isOver && attempt === attempts)
        following = board.follow(folders, projects, (changed) => sender.offer([...changed]));
      return succeed({ projects });
    },
    budgetProposals: async (board, asked) => succeed({ proposals: await board.propose(asked) }),
    async budgetsReckon(board, { folder }) {
      await board.reckon(folder);
      return succeed({});
    },
    budgetHistory: async (board, asked) => succeed({ tokens: [...(await board.recentTokens(asked))] }),
    budgetOffer: async (board, { folder, ...asked }) =>
      succeed({ isFirst: await board.offer(folder, asked) }),
    async budgetLimit(board, { folder, ...asked }) {
      const set = await board.setLimit(folder, asked);
      return set.ok ? succeed({ projects: await board.read([folder]) }) : set;
    },
  };
}
