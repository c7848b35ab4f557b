import type { Invocation } from '@agent-criteria/core';
import type { ComponentChildren } from 'preact';
import { Answers } from './answers.tsx';
import { Calls } from './calls.tsx';
import { Message } from './message.tsx';
import { OnTheWay } from './on-the-way.tsx';

/** A turn without its scores: what was asked, what was expected, and what happened. */
export function PlainTurn(props: {
  /** Its heading. */
  readonly title: ComponentChildren;
  /** `undefined`: it did not happen. */
  readonly actual: Invocation | undefined;
  /** `undefined`: nothing is expected, or it is not to be shown. */
  readonly expected: Invocation | undefined;
}) {
  const { title, actual, expected } = props;
  return (
    <section class="turn plain">
      <h3>{title}</h3>
      <div class="user">
        <h4>User</h4>
        <Message content={(actual ?? expected)?.userContent} />
      </div>
      <Calls actual={actual} expected={expected} scores={[]} />
      <OnTheWay actual={actual} expected={expected} />
      <Answers
        expected={expected?.finalResponse}
        actual={actual?.finalResponse}
        hasReference={expected?.finalResponse !== undefined && expected.finalResponse !== null}
        happened={actual !== undefined}
      />
    </section>
  );
}
