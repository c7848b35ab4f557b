import {
  type Caller,
  CriteriaError,
  type Invocation,
  type Next,
  type Plan,
  type Tools,
  type Unit,
  type UnitKey,
} from '@agent-criteria/core';
import { copyJson } from './copy-json.ts';

/** A simulated user, who talks to the agent as the scenario of the case has it. */
export interface User {
  next(soFar: readonly Invocation[]): Promise<Next>;
  close(): Promise<void>;
}

/** Who asks when a simulated user does. It is opened once, and each call is of the turn that goes on then. */
export function userCaller(key: UnitKey, by: string, turn: () => number): Caller {
  return {
    role: 'user',
    key,
    by,
    get turn() {
      return turn();
    },
  };
}

export function openUser(plan: Plan, unit: Unit, key: UnitKey, tools: Tools): User {
  const { conversationScenario } = unit.case;
  if (!conversationScenario || !plan.simulator) {
    throw new CriteriaError({
      code: 'UNKNOWN_SIMULATOR',
      message: `the plan has no simulated user for the case "${key.caseId}"`,
    });
  }
  const { simulator, options } = plan.simulator;
  const session = simulator.open({ key, scenario: copyJson(conversationScenario) }, options, tools);
  return {
    next: async (soFar) => checkNext(await session.next([...soFar])),
    close: async () => session.close?.(),
  };
}

/** A simulator that neither speaks nor ends would be asked for ever. */
function checkNext(next: Next): Next {
  const speaks = Array.isArray(next?.message?.parts);
  const by = next?.ending?.by;
  const ends = by === 'user' || by === 'turn-limit';
  const wrong = (next?.message !== undefined && !speaks) || (next?.ending !== undefined && !ends) || !(speaks || ends);
  if (!wrong) return next;
  const message = 'it must give a message { role, parts }, an ending { by: "user" or "turn-limit" }, or both';
  throw new CriteriaError({ code: 'CALL_FAILED', message });
}
