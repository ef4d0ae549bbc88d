import { sentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Why, WhyQuestion } from "../../ledger/why-answers.ts";
import { ownSession } from "../../transcripts/agents.ts";
import { answer } from "../answer.ts";
import { folder, folderIn, jsonOf, quoted, wrongUsage, type ParsedOptions } from "../args.ts";
import { command } from "../command.ts";
import { parseDay } from "../day-argument.ts";
import type { CliHost } from "../cli-ports.ts";
import { catchUp } from "../ledger/catch-up.ts";
import { isUnserved, readLedger } from "../ledger/ledger-access.ts";
import { throughService } from "../service/service-access.ts";
import { current } from "../sessions/self-check.ts";
import { styleFor } from "../style.ts";
import { printWhy } from "./print-why.ts";
import { whyToJson } from "./why-schema.ts";

/** Days that a project is explained for. */
const projectDays = "6d";

export const whyCommand = command({
  name: "why",
  title: "why a day, a session or a project cost what it did",
  words: "[DAY|SESSION] [--project DIR] [--json]",
  terms: {
    DAY: "a day such as 2026-11-21, today, yesterday, or 7d for seven days ago (default: today; with --project, the last seven days)",
    SESSION: 'session ID; its start is enough, and "current" is the session that runs this command',
  },
  argument: { offers: "sessions" },
  options: {
    project: folder("only work in this folder"),
    json: jsonOf("why"),
  },
  notes: `
The clauses are in order of money, and add up to the whole with the rest: each dollar is in one of them. The whole is the list price of all
calls; its parts are estimated from the sizes of prompts and results. What is usual is the median of the eight weeks before: of the same
weekday if there are four, else of all days with usage; for a session, of sessions of the same agent. At least 5 are needed.

The turns named are those of the session's page in VS Code. Nothing is sent to a model.
`,
  run: async ({ options, first }, host) => {
    const question = readQuestion(first, options, host);
    if (!question.ok) return question;
    const found = await askWhy(question.value, host);
    if (!found.ok) return found;
    const text = () => printWhy(found.value, { style: styleFor(host), now: host.now() });
    return answer(whyToJson(found.value), text, { options, host });
  },
});

function readQuestion(
  first: string,
  options: ParsedOptions,
  { cwd, now, env }: Pick<CliHost, "cwd" | "now" | "env">,
): Result<WhyQuestion> {
  const project = folderIn(options, "project", cwd);
  const days = { program: null, project, session: null };
  if (first === "") {
    const until = parseDay("today", now()) ?? null;
    const since = project === null ? until : (parseDay(projectDays, now()) ?? null);
    return succeed({ ...days, since, until });
  }
  const day = parseDay(first, now());
  if (day !== undefined) return succeed({ ...days, since: day, until: day });
  if (project !== null)
    return wrongUsage(sentence("--project goes with a day, and {0} is none", quoted(first.slice(0, 60))));
  const session = first === current ? ownSession(env)?.id : first;
  if (session === undefined)
    return fail("no_such_session", sentence("no agent says which session runs this command"));
  return succeed({ ...days, since: null, until: null, session });
}

/** Without a service, the ledger's files are read. */
async function askWhy(question: WhyQuestion, host: CliHost): Promise<Result<Why>> {
  const served = await throughService(host, async (service) => {
    const read = await catchUp(service, { isFresh: false }, host);
    host.signal.throwIfAborted();
    if (!read.ok) return read;
    const found = await service.ask("why", { asked: question }, host.signal);
    return found.ok ? succeed(found.value.answer) : found;
  });
  host.signal.throwIfAborted();
  const found =
    served.ok || !isUnserved(served)
      ? served
      : await readLedger(host, (ledger) => ledger.ask("why", question));
  if (!found.ok) return found;
  if (found.value !== null) return succeed(found.value);
  if (question.session === null)
    return served.ok ? fail("no_ledger", sentence("there is no ledger yet")) : served;
  const shown = quoted(question.session.slice(0, 60));
  return fail(
    "no_such_session",
    sentence("there is no session with the ID {0}, or several begin with it", shown),
  );
}
