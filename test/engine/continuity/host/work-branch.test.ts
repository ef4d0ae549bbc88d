import test from "node:test";
import type { ResumePacket } from "../../../../src/engine/continuity/packet/packet.ts";
import type { HandoverPorts } from "../../../../src/engine/continuity/host/handover-host.ts";
import { assert } from "../../support/assert-texts.ts";
import { packetOf } from "../packet-fixture.ts";
import { made, place } from "./handed-over.ts";

test("A session's branch is the one it worked on, whatever is checked out when its document is made", async (t) => {
  const { handovers, project } = await place(t);
  project.branch = "main";
  project.commit = "9".repeat(40);
  const draft = await made(handovers);
  assert.equal(draft.branch, "login");
  assert.match(draft.text, /Out of date:\*\* the branch is main, it was login\. /u);
  assert.match(draft.text, /- Branch: login while it worked, last commit [^;]+; now main is checked out/u);
  const refused = await handovers.start(draft.id, "codex");
  assert.ok(!refused.ok && refused.reason === "other_branch", JSON.stringify(refused));
  project.branch = "login";
  const opened = await handovers.open(draft.id);
  assert.ok(opened.ok && opened.value.draft.changed.length === 0);
  assert.doesNotMatch(opened.value.draft.text, /Out of date/u);
  assert.ok((await handovers.start(draft.id, "codex")).ok);
});

test("A session on no branch is handed over at its commit, and one in no repository anywhere", async (t) => {
  const worked = (own: Partial<ResumePacket>): Partial<HandoverPorts> => ({
    workOf: () =>
      Promise.resolve({
        folder: "/home/mara/argo",
        packet: packetOf(own),
        packetText: "",
        summary: null,
        carried: null,
      }),
  });
  const { handovers, project } = await place(t, worked({ branch: null, commit: "5".repeat(40) }));
  project.branch = null;
  project.commit = "9".repeat(40);
  const moved = await made(handovers);
  assert.deepEqual(moved.changed, ["the last commit is 9999999999, it was 5555555555"]);
  assert.equal(moved.headCommit, "5".repeat(40));
  assert.match(
    moved.text,
    /- Branch: none while it worked, last commit 5{10}; now 9{10} is checked out\. Check out the commit/u,
  );
  project.branch = "main";
  const refused = await handovers.start(moved.id, "codex");
  assert.match(
    refused.ok ? "" : refused.detail.text,
    /on no branch, at the commit 5{10}, and \S+ has main checked out/u,
  );
  project.branch = null;
  project.commit = "5".repeat(40);
  const opened = await handovers.open(moved.id);
  assert.deepEqual(opened.ok && opened.value.draft.changed, []);
  assert.ok((await handovers.start(moved.id, "codex")).ok);

  const plain = await place(t, worked({ branch: null, commit: null }));
  const anywhere = await made(plain.handovers);
  assert.deepEqual(anywhere.changed, []);
  assert.ok((await plain.handovers.start(anywhere.id, "codex")).ok);

  const long = `feature/${"long-".repeat(50)}name`;
  const named = await place(t, worked({ branch: long.slice(0, 200) }));
  named.project.branch = long;
  assert.deepEqual((await made(named.handovers)).changed, []);
});
