import { suiteHash } from "../../../bench/suite.ts";
import type { Result } from "../../../base/result.ts";
import type { GoldenDone } from "./golden-actions.ts";
import type { GoldenJson } from "./golden-schema.ts";

export function goldenToJson(act: GoldenJson["act"], done: Result<GoldenDone>): GoldenJson {
  const { suite, audits, files, remaining, drafts } = done.ok
    ? done.value
    : { suite: null, audits: [], files: [], remaining: [], drafts: [] };
  return {
    schema: 1,
    act,
    suite: suite && {
      origin: suite.origin,
      folder: suite.folder,
      fixture: { folder: suite.fixture.folder, files: suite.fixture.files, hash: suite.fixture.hash },
      agents: suite.agents.map(({ name, description }) => ({
        name,
        description,
        suiteHash: suiteHash(suite, name),
        tasks: suite.tasks.filter(({ agent }) => agent === name).length,
      })),
    },
    tasks:
      suite?.tasks.map(({ id, agent, title, weight, path, hash }) => ({
        id,
        agent,
        title,
        weight,
        file: path,
        hash,
      })) ?? [],
    audits: audits.map(({ taskId, agent, path, trials, faults }) => ({
      taskId,
      agent,
      file: path,
      trials: [...trials],
      faults: [...faults],
    })),
    files: [...files],
    remaining: [...remaining],
    drafts: drafts.map((draft) => ({ ...draft, remaining: [...draft.remaining] })),
    faults: done.ok ? [] : [{ reason: done.reason, detail: done.detail }],
  };
}
