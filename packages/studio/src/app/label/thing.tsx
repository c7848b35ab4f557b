import { PlainTurn, visible } from '@agent-criteria/viewer/views';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ThingToLabel } from '../../api.ts';

/** What is labelled: the conversation up to it. What was expected of earlier turns is left out, because it is not the question. */
export function Thing(props: { readonly thing: ThingToLabel; readonly heading: RefObject<HTMLHeadingElement | null> }) {
  const { about, turns, at } = props.thing;
  const { setId, caseId, variant, repeat, turn } = about;
  const end = useRef<HTMLDivElement>(null);
  // A long conversation is read from its end, which is what is labelled.
  useLayoutEffect(() => {
    scrollTo(0, 0);
    if (turns.length > 1 && turn !== null) end.current?.scrollIntoView({ block: 'start' });
  }, [at]);
  return (
    <section class="label-thing" aria-labelledby="label-thing-title">
      <h2 id="label-thing-title" ref={props.heading} tabIndex={-1}>
        <bdi>{visible(caseId)}</bdi>
        {turn !== null && `, turn ${turn + 1}`}{' '}
        <small>
          {visible(setId)}
          {variant !== undefined && `, ${visible(variant)}`}
          {repeat > 0 && `, repeat ${repeat + 1}`}
        </small>
      </h2>
      {turns.length === 0 && <p class="nothing">Nothing was said.</p>}
      {turns.map(({ actual, expected }, place) => {
        const isAsked = turn === null || place === turn;
        return (
          <div key={place} ref={place === turns.length - 1 ? end : undefined} class={isAsked ? 'asked' : 'earlier'}>
            <PlainTurn
              title={`Turn ${place + 1}`}
              actual={actual ?? undefined}
              expected={isAsked ? (expected ?? undefined) : undefined}
            />
          </div>
        );
      })}
    </section>
  );
}
