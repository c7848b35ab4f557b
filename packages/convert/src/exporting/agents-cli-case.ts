import type { Content, Invocation } from '@agent-criteria/core';
import { recordedEvents } from '@agent-criteria/formats';
import { AGENT } from '../conversation.ts';

/** A conversation, as far as a dataset of agents-cli holds it. */
export interface AgentsCliConversation {
  readonly id: string;
  readonly turns: readonly Invocation[];
  /** The expected answer of the last turn. */
  readonly reference: string | undefined;
}

/** Writes a conversation as a case of a dataset of Google's agents-cli, with its turns as recorded events. */
export function agentsCliCase({ id, turns, reference }: AgentsCliConversation, onLoss: (what: string) => void): object {
  if (turns.some(({ intermediateData }) => JSON.stringify(intermediateData ?? null).includes('"usageMetadata"'))) {
    onLoss('token counts, left out');
  }
  return {
    eval_case_id: id,
    agent_data: {
      ...agentsOf(turns),
      turns: turns.map((turn, index) => ({
        turn_index: index,
        events: recordedEvents(turn, AGENT, `turn-${index + 1}`).map(({ author, content }) => ({ author, content })),
      })),
    },
    ...(reference === undefined ? {} : { reference: { response: answer(reference) } }),
  };
}

function agentsOf(turns: readonly Invocation[]): object {
  const details = turns.map(({ appDetails }) => appDetails?.agentDetails).find((found) => found !== undefined);
  const agents = Object.entries(details ?? {}).map(([name, { instructions, toolDeclarations }]) => [
    name,
    {
      agent_id: name,
      ...(instructions === undefined ? {} : { instruction: instructions }),
      ...(toolDeclarations === undefined ? {} : { tools: toolDeclarations }),
    },
  ]);
  return agents.length === 0 ? {} : { agents: Object.fromEntries(agents) };
}

function answer(text: string): Content {
  return { role: 'model', parts: [{ text }] };
}
