import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Emitter } from "../../src/engine/base/emitter.ts";
import { succeed } from "../../src/engine/base/result.ts";
import type { MessageQuestion, MessageSettlement } from "../../src/engine/service/message-protocol.ts";
import { registerMessages } from "../../src/extension/message-notices.ts";
import { eventually, test } from "./harness.ts";
import { workspaceFolder } from "./support/inside-session.ts";

const question: MessageQuestion = {
  ...{ id: "toolu_1", sessionId: "s", cwd: "/home/dev/harbor", from: "frontend", to: "backend" },
  ...{ text: "Which port does the API have?", chars: 29, at: 0, answerUntil: Number.MAX_SAFE_INTEGER },
};

/** What the window says to a service that holds messages. */
function service() {
  const asked = new Emitter<MessageQuestion>();
  const settled = new Emitter<MessageSettlement>();
  const answers: string[] = [];
  const followed: string[][] = [];
  const client = {
    onMessageAsked: asked.on,
    onMessageSettled: settled.on,
    followMessages: (folders: string[]) => {
      followed.push(folders);
      return Promise.resolve(succeed({}));
    },
    answerMessage: (id: string, decision: "allow" | "deny") => {
      answers.push(`${id} ${decision}`);
      return Promise.resolve(succeed({ isTaken: true }));
    },
  };
  const clients = new Emitter<void>();
  return { asked, answers, followed, link: { client, onClient: clients.on } };
}

test("a message between agents that is held is asked about, and approving it tells the service", async () => {
  const { asked, answers, followed, link } = service();
  const log = vscode.window.createOutputChannel("Messages", { log: true });
  const registered = registerMessages({ link, log });
  try {
    assert.deepEqual(followed, [[workspaceFolder()]]);
    await vscode.commands.executeCommand("notifications.clearAll");
    asked.fire(question);
    asked.fire(question);
    // The button that a notification offers first.
    await eventually("the answer", async () => {
      await vscode.commands.executeCommand("notification.acceptPrimaryAction");
      return answers[0];
    });
    await vscode.commands.executeCommand("notification.acceptPrimaryAction");
    assert.deepEqual(answers, ["toolu_1 allow"], "it is asked about once, however often it is told of");
  } finally {
    registered.dispose();
    log.dispose();
    await vscode.commands.executeCommand("notifications.clearAll");
  }
});
