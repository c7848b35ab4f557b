import type { App } from '../apps/app.ts';
import { type RefusalStatus, refusal } from '../http/refusal.ts';
import type { Studio } from '../studio.ts';
import { type FoundSet, findSets } from './find-sets.ts';

/** The set of an app with this id. @throws A refusal: 404, or the status that ADK gives here. */
export async function setOf({ apps }: Studio, app: App, id: string, status: RefusalStatus = 404): Promise<FoundSet> {
  const sets = await findSets(app, apps);
  const set = sets.find((one) => one.id === id);
  if (set !== undefined) return set;
  const there = sets.length === 0 ? 'The app has none yet.' : `There are: ${sets.map((one) => one.id).join(', ')}.`;
  throw refusal(status, `Eval set \`${id}\` not found for app \`${app.name}\`. ${there}`);
}
