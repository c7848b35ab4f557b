/** Below these, null is data of the user's. */
const FREE = new Set(['args', 'response', 'state', 'sessionDetails', 'agentCriteria', 'stateDelta']);

/** A value as ADK's server answers it: fields that are null are left out, at every level but what users filled in. */
export function withoutNullFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => {
      if (field === null || field === undefined) return [];
      return [[key, FREE.has(key) ? field : withoutNullFields(field)]];
    }),
  );
}
