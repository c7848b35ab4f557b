import {
  CriteriaError,
  type Invocation,
  type Part,
  type Tools,
  type Unit,
  type UnitKey,
  type UserMove,
} from '@agent-criteria/core';
import type { Caller, Plan } from '@agent-criteria/core/host';
import { copyJson } from '../copy-json.ts';

export type User = ReturnType<typeof openUser>;

/**
 * Describes a simulated user as a caller of models. The user is opened once, and each of its calls belongs to the turn
 * in progress.
 */
export function userCaller(key: UnitKey, name: string, turn: () => number): Caller {
  return {
    role: 'user',
    key,
    name,
    get turn() {
      return turn();
    },
  };
}

/** Opens the simulated user for a case with a scenario. */
export function openUser(plan: Plan, unit: Unit, key: UnitKey, tools: Tools) {
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
    next: async (soFar: readonly Invocation[]): Promise<UserMove> => checkNext(await session.next([...soFar])),
    close: async (): Promise<void> => session.close?.(),
  };
}

/** Rejects empty messages, as well as moves with neither a message nor an ending, which would repeat forever. */
function checkNext(next: UserMove): UserMove {
  const { message, ending } = next ?? {};
  const speaks = Array.isArray(message?.parts);
  const ends = ending?.by === 'user' || ending?.by === 'turn-limit';
  if ((message !== undefined && !speaks) || (ending !== undefined && !ends) || !(speaks || ends)) {
    throw wrong('it must return a message { role, parts }, an ending { by: "user" or "turn-limit" }, or both');
  }
  if (message !== undefined && !message.parts?.some(hasVisibleContent)) {
    throw wrong('its message is empty: a user with nothing more to say must return an ending');
  }
  return next;
}

/** Whether a part has visible text, or is something other than text. */
function hasVisibleContent(part: Part): boolean {
  return (
    /[^\s\p{Cc}\p{Cf}]/u.test(part.text ?? '') ||
    Object.values(part).some((value) => typeof value === 'object' && value !== null)
  );
}

function wrong(message: string): CriteriaError {
  return new CriteriaError({ code: 'CALL_FAILED', message });
}
