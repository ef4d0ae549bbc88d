import type { Disposable } from "../../base/events.ts";
import { fail, succeed } from "../../base/result.ts";
import type { BudgetStatusFeed } from "./budgets-feed.ts";
import type { ProjectBudgets } from "../budgets-answers.ts";
import { budgetNotices, budgetRequests } from "../budget-requests.ts";
import { type Handlers, type ServeClient, type Client, serve, LatestSender } from "../../protocol/serve.ts";
import { sentence } from "../../base/language.ts";

const missing = fail("no_budgets", sentence("this service holds no budgets"));

type Feed = Pick<BudgetStatusFeed, "read" | "follow" | "propose" | "sync" | "recentTokens" | "setLimit">;

/**
 * Budgets for clients, each of which may follow some.
 * @param part undefined for a service without budgets
 */
export function serveBudgets(part: Feed | undefined): ServeClient {
  return serve({
    requests: budgetRequests,
    part,
    missing,
    handlers,
  });
}

function handlers(client: Client): Handlers<Feed, typeof budgetRequests> {
  let following: Disposable | undefined;
  let attempts = 0;
  const sender = new LatestSender((projects: ProjectBudgets[]) =>
    client.notify(budgetNotices.budgetsChanged, { projects }),
  );
  const letGo = () => {
    following?.dispose();
    following = undefined;
    sender.clear();
  };
  client.owned.add({ dispose: letGo });
  return {
    budgetsRead: async (feed, { folders }) => succeed({ projects: await feed.read(folders) }),
    async budgetsFollow(feed, { folders }) {
      letGo();
      const attempt = ++attempts;
      const projects = await feed.read(folders);
      // A client that left in between, or now follows other folders, does not follow these.
      if (folders.length > 0 && !client.isOver && attempt === attempts)
        following = feed.follow(folders, projects, (changed) => sender.offer([...changed]));
      return succeed({ projects });
    },
    budgetProposals: async (feed, asked) => succeed({ proposals: await feed.propose(asked) }),
    async budgetsReckon(feed, { folder }) {
      await feed.sync(folder);
      return succeed({});
    },
    budgetHistory: async (feed, asked) => succeed({ tokens: [...(await feed.recentTokens(asked))] }),
    async budgetLimit(feed, { folder, ...asked }) {
      const set = await feed.setLimit(folder, asked);
      return set.ok ? succeed({ projects: await feed.read([folder]) }) : set;
    },
  };
}
