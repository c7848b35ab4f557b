import { perTurnAdkDifferences } from './per-turn-adk-differences.ts';

/**
 * Entries in list A of `docs/adk-parity.md`: numbers that `compat: 'adk'` switches. Simulators themselves have no such
 * entries.
 */
export const adkDifferences = perTurnAdkDifferences;

/** Entries in list B: how simulated users differ from ADK's in all modes. */
export const honestDifferences = [
  {
    id: 'structured-user',
    title: 'What a simulated user answers',
    adk: 'Text. The stop signal ends the conversation wherever it occurs.',
    ours: 'JSON that follows a schema: message, end and reason. Plain text with the signal works too.',
    reason: 'A marker in text can be quoted, split or forgotten.',
  },
  {
    id: 'text-beside-the-end',
    title: 'A last message together with the stop signal',
    adk: 'Discarded: the agent never sees it.',
    ours: 'Delivered and answered, then the conversation ends.',
    reason: 'It may contain the answer that the agent was waiting for.',
  },
  {
    id: 'broken-signal',
    title: 'A stop signal with white space in it',
    adk: 'Sent to the agent as a message.',
    ours: 'Ends the conversation.',
    reason: 'Only the simulator writes it, and an agent cannot do anything with it.',
  },
  {
    id: 'no-message',
    title: 'A simulated user that says nothing',
    adk: 'An empty answer fails the inference at once. White space is sent as a message.',
    ours: 'The simulator is asked once more. If there is still no message, the inference is an error of the simulated user and is not scored.',
    reason: "The agent's score must not suffer from a simulator that is silent or blocked.",
  },
  {
    id: 'scenario-checked',
    title: 'A scenario that cannot be played',
    adk: 'An empty starting prompt or plan is run. If the starting prompt contains the stop signal, or max_allowed_invocations is 0, there is no turn at all.',
    ours: 'Errors before the run.',
    reason: 'A conversation that cannot begin tests nothing.',
  },
  {
    id: 'persona-ends',
    title: 'Personas and the end of a conversation',
    adk: 'The prompt mentions it only if a behaviour does. A persona without such a behaviour runs into the turn limit.',
    ours: 'Every prompt says when and how to end the conversation.',
    reason: 'When a conversation runs into the turn limit, it looks as if the agent could not finish.',
  },
  {
    id: 'templates-filled-in',
    title: '`custom_instructions` and persona texts',
    adk: 'Jinja, executed in a sandbox. Unknown names are empty. A template without a place for the persona is only noticed at the second turn.',
    ours: 'Names are filled in, and comments are dropped. Statements, filters, expressions and unknown names are errors before the run. So is a template without a place for the persona.',
    reason: 'Data must not be executed, and a mistake must not cost a run.',
  },
  {
    id: 'built-in-personas',
    title: 'EXPERT, NOVICE and EVALUATOR',
    adk: "ADK's texts.",
    ours: 'The same ids and the same mix of behaviours, in our own words. Cases made from such scenarios therefore have different ids.',
    reason: "We do not copy ADK's texts.",
  },
  {
    id: 'history-as-json',
    title: 'Tool calls in the conversation that the simulated user sees',
    adk: 'Values as Python prints them.',
    ours: 'JSON. A turn without an answer is mentioned too.',
    reason: 'Every model can read JSON.',
  },
  {
    id: 'thinking-of-gemini',
    title: 'The default `model_configuration`',
    adk: 'Thinking with 10,240 tokens, whatever the model.',
    ours: 'The same for Gemini models. Other models get their own default.',
    reason: 'They would reject a setting that they do not support.',
  },
] as const;
