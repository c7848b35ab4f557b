import type { EvalCase } from '@agent-criteria/core';
import { count, JsonChanges, preview, visible } from '@agent-criteria/viewer/views';
import { useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { Radio } from '../field.tsx';
import { toggled } from '../toggled.ts';
import { mergeValues } from './merge-values.ts';

/** Shows two conflicting versions of a case. Either can be kept, or both merged. */
export function CaseConflict(props: {
  /** The common ancestor of both versions. */
  readonly base: EvalCase;
  readonly theirs: EvalCase;
  readonly mine: EvalCase;
  /** Takes their version; undo restores mine. */
  takeTheirs(): void;
  save(value: EvalCase): void;
}) {
  const { base, theirs, mine } = props;
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const merged = mergeValues(base, theirs, mine, taken);
  const { conflicts } = merged;
  return (
    <section class="banner error conflict" role="alert" aria-label="Two versions of this case">
      <p>
        <b>This case was saved elsewhere while you edited it.</b> Nothing of yours was saved, and nothing is lost:
        theirs is what the file has, yours is what you see below.
      </p>
      <ul class="changed-parts">
        <Changed who="They changed" paths={merged.theirs} />
        <Changed who="You changed" paths={merged.mine} />
        <li>
          {conflicts.length === 0
            ? 'No part was changed by both: the two fit together.'
            : `Changed by both: ${count(conflicts.length, 'part')}. Choose for each.`}
        </li>
      </ul>
      {conflicts.map(({ path, theirs: their, mine: my }) => (
        <fieldset key={path} class="choice">
          <legend>{partName(path)}</legend>
          {[false, true].map((isTheirs) => (
            <Radio
              key={String(isTheirs)}
              name={`conflict ${path}`}
              checked={taken.has(path) === isTheirs}
              choose={() => setTaken(toggled(taken, path))}
            >
              {isTheirs ? 'Theirs' : 'Yours'}: <bdi>{shown(isTheirs ? their : my)}</bdi>
            </Radio>
          ))}
        </fieldset>
      ))}
      <details>
        <summary>Everything that differs: theirs (−) against yours (+)</summary>
        <JsonChanges before={theirs} after={mine} name="case" />
      </details>
      <div class="buttons">
        <Button text="Take theirs, drop mine" onClick={props.takeTheirs} />
        <Button text="Save mine over theirs" class="danger" onClick={() => props.save(mine)} />
        <Button text="Save both together" class="main" onClick={() => props.save(merged.value as EvalCase)} />
      </div>
    </section>
  );
}

function Changed({ who, paths }: { readonly who: string; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <li>
      {who}:{' '}
      {paths.slice(0, 8).map((path, place) => (
        <bdi key={path}>
          {place > 0 && ', '}
          {partName(path)}
        </bdi>
      ))}
      {paths.length > 8 && ` and ${paths.length - 8} more`}
    </li>
  );
}

/** Formats `conversation[0].finalResponse.parts[0].text` as `turn 1, expected answer`. */
function partName(path: string): string {
  if (path === '') return 'the case';
  const words = path
    .replace(/^conversation\[(\d+)\]\.?/, (_, at: string) => `turn ${Number(at) + 1}, `)
    .replace(/^conversation$/, 'the turns')
    .replace('userContent', 'user')
    .replace('finalResponse', 'expected answer')
    .replace('finalSessionState', 'expected final state')
    .replace('sessionInput.', 'session, ')
    .replace(/\.parts\[0\]\.text$/, '')
    .replace(/, $/, '');
  return visible(words);
}

function shown(value: unknown): string {
  if (value === undefined) return '(deleted)';
  return typeof value === 'string' ? visible(value) : preview(value);
}
