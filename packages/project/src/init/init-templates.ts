import type { EvalSet } from '@agent-criteria/core';
import { DEFAULT_JUDGE_MODEL } from '@agent-criteria/core/host';
import { writeEvalSet } from '@agent-criteria/formats/parse';
import { jsonText } from '../files/write-file.ts';
import { COMMAND } from './find-installed.ts';
import { asksModel, type Preset } from './presets.ts';

// The files that `init` writes: the desk of a bicycle workshop. The agent needs no model, so that the first run is fast
// and deterministic.

export const agentSource = `// The desk of a bicycle workshop: an agent without a model, so that its evaluation runs right away and without a key.
// Replace it with your own agent: anything that takes a message and returns its answer and the tools that it called.

const HOURS: Record<string, string> = {
  Monday: 'from 9:00 to 18:00',
  Tuesday: 'from 9:00 to 18:00',
  Saturday: 'from 10:00 to 14:00',
};
const PARTS = ['brakes', 'chain', 'lights'];

interface Session {
  /** What is kept from one turn to the next. */
  state: Record<string, unknown>;
}

export function agent(message: string, { state }: Session) {
  const text = message.toLowerCase();
  const day = ['Monday', 'Tuesday', 'Saturday', 'Sunday'].find((name) => text.includes(name.toLowerCase()));
  state.part = PARTS.find((name) => text.includes(name)) ?? state.part;
  if (day === undefined) return 'On which day?';

  if (state.part !== undefined) {
    const args = { day, part: state.part };
    return { text: \`The \${state.part} will be repaired on \${day}.\`, toolCalls: [{ name: 'book_repair', args }] };
  }
  const hours = HOURS[day];
  return {
    text: hours === undefined ? \`The workshop is closed on \${day}.\` : \`On \${day} the workshop is open \${hours}.\`,
    toolCalls: [{ name: 'opening_hours', args: { day } }],
  };
}
`;

/** The change that breaks the second case. */
export const mistake = { file: 'agent.ts', from: 'from 10:00 to 14:00', to: 'in the morning' };

export const EVAL_SET = 'workshop';

export function evalSetText({ simulatedUsers = false }: Preset, schemas: string): string {
  const evalSet = simulatedUsers ? simulated : fixedSet();
  return jsonText(writeEvalSet({ $schema: `${schemas}/eval-set.schema.json`, ...evalSet }));
}

const head = { evalSetId: EVAL_SET, name: EVAL_SET, description: 'What the desk of the workshop must get right.' };

const simulated: EvalSet = {
  ...head,
  evalCases: [
    {
      evalId: 'repair_on_tuesday',
      conversationScenario: {
        startingPrompt: 'My chain is broken, can you repair it?',
        conversationPlan:
          'You want your chain repaired on Tuesday; name the day when you are asked for it. You are done once the repair is confirmed.',
        userPersona: 'NOVICE',
      },
    },
  ],
};

function fixedSet(): EvalSet {
  const turn = (user: string, answer: string, name?: string, args?: Record<string, string>) => ({
    userContent: { role: 'user', parts: [{ text: user }] },
    finalResponse: { role: 'model', parts: [{ text: answer }] },
    intermediateData: { toolUses: name === undefined ? [] : [{ name, args: args ?? {} }] },
  });
  const hours = (day: string) => ['opening_hours', { day }] as const;
  return {
    ...head,
    evalCases: [
      {
        evalId: 'closed_on_sunday',
        conversation: [turn('Can I come on Sunday?', 'The workshop is closed on Sunday.', ...hours('Sunday'))],
      },
      {
        evalId: 'open_on_saturday',
        conversation: [
          turn(
            'When are you open on Saturday?',
            'On Saturday the workshop is open from 10:00 to 14:00.',
            ...hours('Saturday'),
          ),
        ],
      },
      {
        evalId: 'asks_for_the_day_then_books',
        conversation: [
          turn('My chain is broken, can you repair it?', 'On which day?'),
          turn('On Tuesday, please.', 'The chain will be repaired on Tuesday.', 'book_repair', {
            day: 'Tuesday',
            part: 'chain',
          }),
        ],
      },
    ],
  };
}

/** The criteria for an agent of which nothing is known: it answers. */
export const firstPreset: Preset = {
  name: 'first',
  criteria: { response_checks: { threshold: 1, min_words: 3 } },
};

export const FIRST_SET = 'first';

/** An eval set for an agent of which nothing is known. */
export function firstSetText(schemas: string): string {
  const evalSet: EvalSet = {
    evalSetId: FIRST_SET,
    name: FIRST_SET,
    description: 'The agent answers. Add cases of what it must get right.',
    evalCases: [
      {
        evalId: 'says_what_it_can_do',
        conversation: [{ userContent: { role: 'user', parts: [{ text: 'Hello! What can you do for me?' }] } }],
      },
    ],
  };
  return jsonText(writeEvalSet({ $schema: `${schemas}/eval-set.schema.json`, ...evalSet }));
}

export function readmeText(name: string, preset: Preset): string {
  return `# ${name}

An agent and its evaluation, made by \`agent-criteria init --preset ${preset.name}\`.

- \`agent.ts\`: the agent under test. Replace it with your own.
- \`${EVAL_SET}.evalset.json\`: conversations, and what is expected of the agent in each.
- \`test_config.json\`: the deciding criteria, and their thresholds.

\`\`\`sh
npx agent-criteria eval .
npx agent-criteria eval . ${EVAL_SET}:${preset.simulatedUsers === true ? 'repair_on_tuesday' : 'open_on_saturday'} --print-detailed-results
npx agent-criteria studio .
\`\`\`

The last one opens the studio in the browser: talk to the agent, turn conversations into eval cases, run them and see why
they passed or failed.
${asksModel(preset) ? judgeText : ''}`;
}

const judgeText = `
## The judge

Some of the criteria ask a model: \`${DEFAULT_JUDGE_MODEL}\`, with \`GEMINI_API_KEY\` in \`.env\`, unless you name another one in
\`agent-criteria.config.ts\`:

\`\`\`ts
import { defineConfig } from '${COMMAND}';

export default defineConfig({ judgeModel: 'ollama/qwen3' });
\`\`\`

\`npx agent-criteria doctor .\` asks it one short question, and \`npx agent-criteria eval . --dry-run\` estimates what judging takes.
`;
