import type { Disposable } from "../../base/disposable.ts";
import { fail, succeed } from "../../base/result.ts";
import { feature, type Client, type Feature, type Handlers } from "./feature.ts";
import type { MessageDesk } from "../../guard/messages/queue.ts";
import type { messageRequests } from "../../wire/messages.ts";

const missing = fail("no_messages", "this service answers no hooks");

/**
 * Messages between agents, which clients may let their users decide about.
 * @param part undefined where hooks are not answered
 */
export function messageFeature(part: MessageDesk | undefined): Feature {
  return feature({ part, missing, handlers });
}

function handlers(client: Client): Handlers<MessageDesk, keyof typeof messageRequests> {
  let following: Disposable | undefined;
  const letGo = () => {
    following?.dispose();
    following = undefined;
  };
  client.owned.add({ dispose: letGo });
  return {
    messagesFollow(desk, { folders }) {
      letGo();
      if (folders.length > 0 && !client.isOver)
        following = desk.follow(folders, {
          asked: (question) => void client.notify("messageAsked", question),
          settled: (settlement) => void client.notify("messageSettled", settlement),
        });
      return succeed({});
    },
    messageAnswer: (desk, { id, decision }) => succeed({ isTaken: desk.answer(id, decision) }),
  };
}
