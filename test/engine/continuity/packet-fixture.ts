import type { ResumePacket } from "../../../src/engine/continuity/packet/packet.ts";

/** A packet of a session that repairs a login form. */
export function packetOf(own: Partial<ResumePacket> = {}): ResumePacket {
  return {
    version: 1,
    sessionId: "5a1c6f1e-0000-4000-8000-000000000001",
    agent: "claude-code",
    model: "claude-sonnet-4-5",
    folder: "/home/mara/argo",
    branch: "login",
    commit: "1111111111222222222233333333334444444444",
    at: Date.UTC(2026, 10, 24, 9, 30),
    turns: 3,
    compactions: 0,
    asked: [
      { turn: 1, text: "Mend the login form" },
      { turn: 3, text: "Now the error text, too" },
    ],
    done: [{ turn: 2, text: "Edited src/login.ts; its tests passed" }],
    open: [
      { turn: 3, kind: "todo", text: "Say which field is wrong" },
      { turn: 3, kind: "unverified", text: "Edited without a passed check: src/errors.ts" },
    ],
    decisions: [{ turn: 1, text: "Never change the API" }],
    files: [
      { path: "src/login.ts", turn: 2, reads: 2, edits: 3, outcome: "verified" },
      { path: "src/errors.ts", turn: 3, reads: 1, edits: 1, outcome: "unverified" },
      { path: "README.md", turn: 1, reads: 1, edits: 0, outcome: "read" },
    ],
    deadEnds: [{ turn: 2, text: "npm test -- login.spec.ts", how: "failed", times: 3 }],
    conventions: [{ turn: 2, text: "test: npm test", times: 4 }],
    errors: [
      { turn: 3, signature: "a1", tool: "Bash", text: "TypeError: field is undefined", times: 2, fix: null },
      {
        turn: 2,
        signature: "b2",
        tool: "Bash",
        text: "Cannot find module",
        times: 1,
        fix: { turn: 2, text: "npm ci" },
      },
    ],
    lastReply: "The form is mended. Shall the text name the field?",
    ...own,
  };
}
