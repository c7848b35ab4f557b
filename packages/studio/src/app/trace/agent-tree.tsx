import type { Span } from '@agent-criteria/core';
import { visible } from '@agent-criteria/viewer/views';
import type { AgentLine, PathStep } from './agent-path.ts';

/** Agents with sub-agents and tools, and the path of a message through them. */
export function AgentTree(props: {
  readonly lines: readonly AgentLine[];
  readonly path: readonly PathStep[];
  /** The open span. */
  readonly here: Pick<Span, 'kind' | 'name'> | null;
}) {
  const { lines, path, here } = props;
  if (lines.length === 0) return <p class="note">The agent tells neither what it is made of nor what it used.</p>;
  return (
    <>
      <ul class="agent-tree">
        {lines.map(({ kind, name, depth, used, isExtra, description }, place) => {
          const isHere = here !== null && here.kind === kind && here.name === name;
          return (
            <li
              key={place}
              class={`${used.length > 0 ? 'used' : 'unused'}${isHere ? ' here' : ''}`}
              style={{ paddingLeft: `${depth * 18 + 8}px` }}
              title={description}
            >
              <small class={`kind ${kind}`}>{kind}</small> <bdi>{visible(name)}</bdi>
              <small class="used-at">
                {used.length === 0 ? ' not used' : ` step ${used.join(', ')}`}
                {isExtra && ', not described by the agent'}
                {isHere && <span class="unseen">, this step</span>}
              </small>
            </li>
          );
        })}
      </ul>
      {path.length > 0 && (
        <p class="path" dir="auto">
          <b>Path</b> {pathText(path)}
        </p>
      )}
    </>
  );
}

export function pathText(path: readonly PathStep[]): string {
  return path.map(({ kind, name }) => visible(kind === 'tool' ? `${name}()` : name)).join(' → ');
}
