import type { Disposable } from "../base/disposable.ts";
import { fail, succeed } from "../base/result.ts";
import type { BudgetBoard } from "./budget-board.ts";
import {
  budgetHistory,
  budgetLimit,
  budgetOffer,
  budgetProposals,
  budgetsChanged,
  budgetsFollow,
  budgetsRead,
  budgetsReckon,
  type ProjectBudgets,
} from "./budget-protocol.ts";
import { LatestSender } from "./latest-sender.ts";
import type { AnswerOf, Peer } from "./peer.ts";
import type { RequestKind } from "./protocol.ts";

/** Answers one client's questions about budgets, and tells it what it follows until it is let go. */
export function answerOfBudgets(peer: Peer, board: BudgetBoard | undefined): Disposable {
  let following: Disposable | undefined;
  const sender = new LatestSender((projects: ProjectBudgets[]) => peer.tell(budgetsChanged, { projects }));
  const letGo = () => {
    following?.dispose();
    following = undefined;
    sender.clear();
  };
  const answer = <Params, Answer>(
    kind: RequestKind<Params, Answer>,
    ask: (of: BudgetBoard, params: Params) => Promise<AnswerOf<Answer>>,
  ) =>
    peer.answer(kind, (params) =>
      board === undefined ? fail("no_budgets", "this service holds no budgets") : ask(board, params),
    );
  answer(budgetsRead, async (of, { folders }) => succeed({ projects: await of.read(folders) }));
  answer(budgetsFollow, async (of, { folders }) => {
    letGo();
    const projects = await of.read(folders);
    // A connection that ended meanwhile follows nothing.
    if (folders.length > 0 && !peer.isClosed)
      following = of.follow(folders, projects, (changed) => sender.offer([...changed]));
    return succeed({ projects });
  });
  answer(budgetProposals, async (of, asked) => succeed({ proposals: await of.propose(asked) }));
  answer(budgetsReckon, async (of, { folder }) => {
    await of.reckon(folder);
    return succeed({});
  });
  answer(budgetHistory, async (of, asked) => succeed({ tokens: [...(await of.recentTokens(asked))] }));
  answer(budgetOffer, async (of, { folder, ...asked }) =>
    succeed({ isFirst: await of.offer(folder, asked) }),
  );
  answer(budgetLimit, async (of, { folder, ...asked }) => {
    const set = await of.setLimit(folder, asked);
    return set.ok ? succeed({ projects: await of.read([folder]) }) : set;
  });
  return { dispose: letGo };
}
