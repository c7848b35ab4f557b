import { type Content, contentText } from '@agent-criteria/core';
import { diffWords } from '../word-diff.ts';
import { type EventLink, StepButton, tiedTo } from './event-link.tsx';
import { TextBlock } from './long-text.tsx';
import { CopyText, Message } from './message.tsx';

/**
 * The expected answer next to the actual one, with differing words marked. A side is `undefined` if it has no such
 * turn.
 */
export function Answers(props: {
  readonly expected: Content | null | undefined;
  readonly actual: Content | null | undefined;
  readonly hasReference: boolean;
  readonly happened: boolean;
  readonly link?: EventLink | undefined;
  /** Ids of the events that make up the actual answer. */
  readonly events?: readonly string[];
}) {
  const { expected, actual, hasReference, happened, link, events = [] } = props;
  const tied = tiedTo(link, events);
  const [wanted, given] = [contentText(expected), contentText(actual)];
  const same = wanted !== '' && wanted === given;
  const diff = wanted !== '' && given !== '' && !same ? diffWords(wanted, given) : null;
  const actualSide = (
    <section class={`side-text actual${tied.class}`} {...tied.props}>
      <h4>
        {same ? 'Answer: word for word as expected' : 'Actual answer'} <CopyText of="actual answer" content={actual} />
        <StepButton link={link} events={events} of="this answer" />
      </h4>
      {diff === null ? (
        <Message content={actual} />
      ) : (
        <>
          <Message content={{ parts: (actual?.parts ?? []).filter(({ thought }) => thought === true) }} />
          <TextBlock text={given} pieces={diff.after} as="ins" />
          <Message content={{ parts: (actual?.parts ?? []).filter(({ text }) => !text) }} />
        </>
      )}
      {given === '' && <p class="nothing">{happened ? 'The agent gave no answer.' : 'This turn did not happen.'}</p>}
    </section>
  );
  if (!hasReference || same) return actualSide;
  return (
    <div class="columns">
      <section class="side-text expected">
        <h4>
          Expected answer <CopyText of="expected answer" content={expected} />
        </h4>
        {wanted === '' && <p class="nothing">None is given.</p>}
        {diff === null ? <Message content={expected} /> : <TextBlock text={wanted} pieces={diff.before} as="del" />}
      </section>
      {actualSide}
    </div>
  );
}
