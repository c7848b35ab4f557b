/** Simulated tools give no scores, so list A of `docs/adk-parity.md` has no entries of them. */
export const adkDifferences = [] as const;

/** Entries in list B: how simulated tools differ from ADK's in all modes. */
export const honestDifferences = [
  {
    id: 'unusable-tool-answer',
    title: 'An answer of the simulation model that cannot be read',
    adk: 'The agent gets an error that the tool never had. Connections that cannot be read count as none.',
    ours: 'The model is asked once more. Then the case is an error with exit code 3, and no real tool is called.',
    reason: 'The agent must not be judged by how it copes with a broken simulation.',
  },
  {
    id: 'state-of-a-session',
    title: 'The state of simulated tools',
    adk: 'It lives as long as the callback object, so that cases and repeats see ids of each other.',
    ours: 'It belongs to one session, and includes the calls answered so far.',
    reason: 'A case must not depend on those before it.',
  },
  {
    id: 'seeded-injections',
    title: 'A `random_seed` of an injection',
    adk: 'Sets the generator before every check, so that an injection applies to every call or to none.',
    ours: 'Starts a stream of its own for each tool and injection: all cases and repeats draw alike, and calls do not.',
    reason: 'A probability of 0.3 must fail three calls in ten.',
  },
  {
    id: 'empty-injected-response',
    title: 'An `injected_response` of `{}`',
    adk: 'Counts as missing.',
    ours: 'Is the answer.',
    reason: 'Tools answer with an empty object, too.',
  },
] as const;
