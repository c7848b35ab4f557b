/** As they are before an agent is loaded, which may replace them: calls would be taken for one another. */
export const { parse: parseJson, stringify: stringifyJson } = JSON;
