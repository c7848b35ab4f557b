"""A shop."""

from google.adk.agents import Agent

root_agent = Agent(name="shop", model="gemini-2.5-flash")
