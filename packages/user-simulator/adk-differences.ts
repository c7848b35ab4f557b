import { perTurnAdkDifferences } from './per-turn-adk-differences.ts';

/** Lines of list A of `docs/adk-parity.md`: numbers, which `compat: 'adk'` switches. Simulators give none. */
export const adkDifferences = perTurnAdkDifferences;

/** Lines of list B: how simulated users differ from ADK's, in every mode. */
export const honestDifferences = [
  {
    id: 'structured-user',
    title: 'What a simulated user answers',
    adk: 'Text, in which the stop signal ends the conversation wherever it stands.',
    ours: 'JSON by a schema: message, end and reason. Plain text with the signal is understood, too.',
    reason: 'A mark in a text can be quoted, split or forgotten.',
  },
  {
    id: 'text-beside-the-end',
    title: 'A last message beside the stop signal',
    adk: 'Thrown away: the agent never sees it.',
    ours: 'Delivered and answered, then the conversation ends.',
    reason: 'It may hold the answer that the agent was waiting for.',
  },
  {
    id: 'broken-signal',
    title: 'A stop signal with white space in it',
    adk: 'Sent to the agent as a message.',
    ours: 'Ends the conversation.',
    reason: 'Nobody but the simulator writes it, and an agent can do nothing with it.',
  },
  {
    id: 'no-message',
    title: 'A simulated user that says nothing',
    adk: 'An empty answer fails the inference at once; white space is sent as a message.',
    ours: 'Asked once more; without a message the inference is an error of the user, and is not scored.',
    reason: 'The agent must not pay for a simulator that is silent or blocked.',
  },
  {
    id: 'scenario-checked',
    title: 'A scenario that cannot be led',
    adk: 'An empty starting prompt or plan is run; a starting prompt that holds the stop signal, or max_allowed_invocations of 0, gives no turn at all.',
    ours: 'Errors before the run.',
    reason: 'A conversation that cannot begin tests nothing.',
  },
  {
    id: 'persona-ends',
    title: 'Personas and the end of a conversation',
    adk: 'The prompt speaks of it only where a behaviour does; a persona without one runs into the turn limit.',
    ours: 'Every prompt says when and how to end.',
    reason: 'A turn limit that nobody wanted looks like an agent that cannot finish.',
  },
  {
    id: 'templates-filled-in',
    title: '`custom_instructions` and texts of personas',
    adk: 'Jinja, executed in a sandbox; names that do not exist are empty; a persona that the template leaves out is found at the second turn.',
    ours: 'Names are filled in, comments dropped; statements, filters, expressions and unknown names are errors before the run, and so is a persona without its place.',
    reason: 'Data must not be executed, and a slip must not cost a run.',
  },
  {
    id: 'built-in-personas',
    title: 'EXPERT, NOVICE and EVALUATOR',
    adk: "ADK's texts.",
    ours: 'The same ids and the same mix of behaviours in our own words; so the ids of cases that are made of such scenarios differ.',
    reason: 'Our words are our own.',
  },
  {
    id: 'history-as-json',
    title: 'Tool calls in what the simulated user sees',
    adk: "Python's way to print values.",
    ours: 'JSON. A turn without an answer is told, too.',
    reason: 'Every model reads JSON.',
  },
  {
    id: 'thinking-of-gemini',
    title: 'The default `model_configuration`',
    adk: 'Thinking with 10,240 tokens, whatever the model.',
    ours: 'The same for models of Gemini; others get their own default.',
    reason: 'They would refuse a setting that they do not have.',
  },
] as const;
