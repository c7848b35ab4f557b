import { type RunUsage, type UsageRole, usageRoles } from '@agent-criteria/results';
import { usageText } from '@agent-criteria/results/text';
import { visible } from './format.ts';

const ROLE_WORDS: Readonly<Record<UsageRole, string>> = {
  agent: 'Agent’s model',
  judge: 'Judges',
  simulator: 'Simulated user',
  tools: 'Simulated tools',
};

/** Usage by role. With several agents, `of` is the name of one of them. */
export function UsageFacts({ usage, of }: { readonly usage: RunUsage; readonly of?: string }) {
  return (
    <>
      {usageRoles.map((role) => {
        const own = usage[role];
        if (own === undefined) return null;
        return (
          <div key={role}>
            <dt>
              {ROLE_WORDS[role]}
              {of !== undefined && <bdi>, {visible(of)}</bdi>}
            </dt>
            <dd>{visible(usageText(own))}</dd>
          </div>
        );
      })}
    </>
  );
}

/** Usage as a list. Empty if none is known. */
export function UsageList({ usage }: { readonly usage: RunUsage }) {
  if (Object.keys(usage).length === 0) return null;
  return (
    <dl class="facts usage-list">
      <UsageFacts usage={usage} />
    </dl>
  );
}
