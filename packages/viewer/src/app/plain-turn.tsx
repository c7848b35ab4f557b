import type { Invocation } from '@agent-criteria/core';
import type { ComponentChildren } from 'preact';
import { Answers } from './answers.tsx';
import { Calls } from './calls.tsx';
import { Message } from './message.tsx';
import { OnTheWay } from './on-the-way.tsx';

/** A turn without scores: the question, and the expected and actual answer. */
export function PlainTurn(props: {
  readonly title: ComponentChildren;
  /** The actual turn, or `undefined` if it did not take place. */
  readonly actual: Invocation | undefined;
  /** The expected turn, or `undefined` if there is none or it must not be shown. */
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
