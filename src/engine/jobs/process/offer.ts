import { succeed, type Result } from "../../base/result.ts";
import { driverNames, measuresModel, type DriverName } from "../../bench/run-facts.ts";
import {
  type CommitPorts,
  type Suite,
  workspaceSuiteFolder,
  loadSuite,
  type SuitePaths,
  workspaceSuite,
} from "../../bench/suite.ts";
import { inWordsOf, readDrafts, readHistory } from "../../bench/golden.ts";
import { cutMiddle, cleanText } from "../../base/text.ts";
import type { BenchChoices, SuiteChoice, SuiteOffer } from "../bench-answers.ts";

type AskDriver = (
  name: DriverName,
  suite: Pick<Suite, "folder">,
) => Promise<Result<{ readonly recordedBy: readonly string[] }>>;

/** `workspace`: a trusted folder, or null. */
export async function benchOffer(
  {
    builtIn,
    workspace,
    commits = null,
    history,
  }: {
    readonly builtIn: SuitePaths;
    readonly workspace: string | null;
    readonly commits?: CommitPorts | null;
    /** Folder of what became of commits that were tried as tasks. */
    readonly history: string;
  },
  askDriver: AskDriver,
): Promise<BenchChoices> {
  const own = workspace === null ? [] : await offerOfWorkspace(workspace, commits);
  const drafts = workspace === null ? succeed([]) : await readDrafts(workspaceSuiteFolder(workspace));
  const tried = workspace === null ? [] : await readHistory({ workspace, memory: history });
  const suites = [...own, offerOf({ origin: "built-in" }, await loadSuite(builtIn))];
  const drivers = await Promise.all(
    driverNames.map(async (name) => {
      const ready = await askDriver(name, builtIn);
      return {
        name,
        isReady: ready.ok,
        problem: ready.ok ? null : ready.detail,
        recordedBy: ready.ok ? [...ready.value.recordedBy] : [],
      };
    }),
  );
  const agents = drivers.filter(({ name }) => measuresModel(name));
  return {
    suites,
    drivers,
    driver: agents.find(({ isReady }) => isReady)?.name ?? usualAgent,
    history: tried.slice(0, maxHistory).map(({ commit, subject, reason }) => ({
      commit: commit.slice(0, 10),
      subject: cutMiddle(cleanText(subject), 120),
      isTask: reason === "task",
      why: inWordsOf(reason),
    })),
    drafts: drafts.ok ? drafts.value.map((draft) => ({ ...draft, remaining: [...draft.remaining] })) : [],
  };
}

const maxHistory = 200;

/**
 * Proposed if no agent is ready, with what it lacks. Recordings are replayed only if somebody selects that.
 */
const usualAgent: DriverName = "claude";

/** A workspace without a suite is not a problem. */
async function offerOfWorkspace(folder: string, commits: CommitPorts | null): Promise<SuiteOffer[]> {
  const paths = await workspaceSuite(folder, true);
  if (!paths.ok && paths.reason === "no_suite") return [];
  return [offerOf({ origin: "workspace", folder }, paths.ok ? await loadSuite(paths.value, commits) : paths)];
}

function offerOf(suite: SuiteChoice, loaded: Result<Suite>): SuiteOffer {
  if (!loaded.ok) return { suite, agents: [], tasks: [], problem: loaded.detail };
  const { agents, tasks } = loaded.value;
  return {
    suite,
    agents: agents.map(({ name, description, model }) => ({ name, description, model })),
    tasks: tasks.map(({ id, agent, title, weight, path, check }) => ({
      id,
      agent,
      title,
      weight,
      path,
      check,
    })),
    problem: null,
  };
}
