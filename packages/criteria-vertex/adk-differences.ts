/**
 * The entries of the multi-turn metrics in list A of `docs/adk-parity.md`: where their numbers differ from ADK's, and
 * why. `compat: 'adk'` sends ADK's requests.
 */
export const adkDifferences = [
  {
    id: 'conversation-thoughts',
    title: 'Thoughts in a conversation',
    default: 'Parts marked `thought`, and thought signatures, are not sent to the service.',
    compat: 'They are sent like any other part.',
    reason: "Users never see a model's thoughts, so they must neither raise nor lower the score.",
  },
  {
    id: 'conversation-hand-written-steps',
    title: 'Intermediate data in the older form, without events',
    default: 'Its calls, results and texts are sent as events of the turn.',
    compat: 'Ignored, as if nothing had happened before the answer.',
    reason: 'A recorded call was made, whatever the format. Without it, tool use cannot be judged.',
  },
  {
    id: 'conversation-nothing-said',
    title: "An event without content, such as a turn's missing answer",
    default: 'It is left out. So are parts with an empty text.',
    compat: 'It is sent without content. Empty texts are sent too.',
    reason: 'The service requires the content of every event, and an empty text carries no information.',
  },
] as const;
