/** The agent as promptfoo takes one. */
export default class Agent {
  id() {
    return 'agent';
  }

  async callApi(message) {
    return { output: `You said: ${message}` };
  }
}
