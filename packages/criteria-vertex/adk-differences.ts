/**
 * Where the numbers of the multi-turn metrics differ from ADK's, and why: their lines of list A in `docs/adk-parity.md`.
 * `compat: 'adk'` makes ADK's requests.
 */
export const adkDifferences = [
  {
    id: 'conversation-thoughts',
    title: 'Thoughts are no part of a conversation',
    default: 'Parts marked `thought`, and signatures of thoughts, are not sent to the service.',
    compat: 'They are sent like any other.',
    reason: 'Nobody but the model reads its thoughts: an agent must neither gain nor lose by them.',
  },
  {
    id: 'conversation-hand-written-steps',
    title: 'Intermediate data in the older form, without events',
    default: 'Its calls, results and texts are sent as events of the turn.',
    compat: 'Left out, as if nothing had happened before the answer.',
    reason: 'A call that was recorded was made, in whatever form; without it no tool use can be judged.',
  },
  {
    id: 'conversation-nothing-said',
    title: 'An event without content, as the answer of a turn that has none',
    default: 'It is left out, and so is a part whose text is empty.',
    compat: 'It is sent without content, and so is the empty text.',
    reason: 'The service asks for the content of every event, and an empty text tells nobody anything.',
  },
] as const;
