/** The agent as a promptfoo provider. */
export default class Agent {
  id() {
    return 'agent';
  }

  async callApi(message) {
    return { output: `You said: ${message}` };
  }
}
