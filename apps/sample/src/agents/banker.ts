import { type Agents, currentSession, defineTool, ToolCorrection } from "@agents/core";
import * as z from "zod";

const Transfer = z.object({ key: z.string(), to: z.string(), amount: z.number() });
const BankerState = z.object({ balance: z.number(), transfers: z.array(Transfer) });
export type BankerState = z.infer<typeof BankerState>;

/** What the page sends with a restart: the person's decision. */
const Decision = z.object({ approved: z.boolean() });

/** Asks a person before money moves. The question outlives the process: the turn that asked is a snapshot like any other. */
export function defineBanker(agents: Agents) {
  return agents.defineAgent({
    name: "banker",
    description: "Tells the balance, and transfers money once you approve.",
    system: "You are a banker. Use the tools; never claim that money was moved when a tool did not say so.",
    stateSchema: BankerState,
    initialCustom: { balance: 1_000, transfers: [] },
    tools: [
      defineTool({ name: "balance", description: "The balance of the account.", outputSchema: z.string() }, () => {
        const { balance } = currentSession<BankerState>().getCustom();
        return `Your balance is $${balance}.`;
      }),
      defineTool(
        {
          name: "transfer",
          description: "Moves money to somebody else. A person has to approve.",
          inputSchema: z.object({ to: z.string().min(1).max(100), amount: z.number().positive() }),
          outputSchema: z.string(),
        },
        ({ to, amount }, { key, resumed, interrupt }) => {
          const session = currentSession<BankerState>();
          const { balance } = session.getCustom();
          if (amount > balance) throw new ToolCorrection(`There are only $${balance} in the account.`);
          if (resumed === undefined) return interrupt({ question: `Transfer $${amount} to ${to}?`, to, amount });
          const decision = Decision.safeParse(resumed);
          if (!decision.success || !decision.data.approved) return `The transfer of $${amount} to ${to} was declined.`;
          session.updateCustom((state) => {
            state.balance -= amount;
            state.transfers.push({ key, to, amount });
          });
          return `Transferred $${amount} to ${to}.`;
        },
      ),
    ],
  });
}
