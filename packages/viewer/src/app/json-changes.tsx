import { type Change, changesInside, compareValues } from '../json-diff.ts';
import { diffWords } from '../word-diff.ts';
import { visible } from './format.ts';
import { Fold, JsonTree, Some } from './json-tree.tsx';
import { Marked } from './marked.tsx';

/** A diff of two JSON values, expanded where they differ. */
export function JsonChanges(props: { readonly before: unknown; readonly after: unknown; readonly name?: string }) {
  return (
    <div class="changes">
      <ChangeLine change={compareValues(props.before, props.after, props.name ?? null)} />
    </div>
  );
}

function ChangeLine({ change }: { readonly change: Change }) {
  switch (change.kind) {
    case 'same':
      return <JsonTree name={change.key} value={change.value} />;
    case 'removed':
    case 'added':
      return <OneSide side={change.kind} name={change.key} value={change.value} />;
    case 'changed':
      return <Changed change={change} />;
    case 'inside':
      return (
        <Fold
          open
          summary={() => (
            <>
              {change.key !== null && <span class="key">{visible(change.key)}: </span>}
              <span class="preview">{Array.isArray(change.after) ? '[ ]' : '{ }'} differs</span>
            </>
          )}
        >
          {() => (
            <Some items={changesInside(change.before, change.after)}>
              {(inner, place) => <ChangeLine key={place} change={inner} />}
            </Some>
          )}
        </Fold>
      );
  }
}

function Changed({ change: { key, before, after } }: { readonly change: Extract<Change, { before: unknown }> }) {
  const words = typeof before === 'string' && typeof after === 'string' ? diffWords(before, after) : null;
  if (words === null) {
    return (
      <>
        <OneSide side="removed" name={key} value={before} />
        <OneSide side="added" name={key} value={after} />
      </>
    );
  }
  const sides = [
    ['removed', words.before, 'del'],
    ['added', words.after, 'ins'],
  ] as const;
  return (
    <>
      {sides.map(([side, pieces, as]) => (
        <div key={side} class={`side ${side}`}>
          <Sign side={side} />
          {key !== null && <span class="key">{visible(key)}: </span>}
          <span class="string" dir="auto">
            “<Marked pieces={pieces} as={as} code />”
          </span>
        </div>
      ))}
    </>
  );
}

function OneSide(props: { readonly side: 'removed' | 'added'; readonly name: string | null; readonly value: unknown }) {
  return (
    <div class={`side ${props.side}`}>
      <Sign side={props.side} />
      <JsonTree name={props.name} value={props.value} />
    </div>
  );
}

export function Sign({ side }: { readonly side: 'removed' | 'added' }) {
  return (
    <span class="sign">
      <span aria-hidden="true">{side === 'removed' ? '−' : '+'}</span>
      <span class="unseen">{side === 'removed' ? 'only expected: ' : 'only actual: '}</span>
    </span>
  );
}
