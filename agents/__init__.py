"""Bots and learned policies that play the games.

``load_agent`` turns a name into an agent, ``agent_names`` lists the names, ``Agent`` is what an agent is.
"""

from unspoken.agents.base import Agent, State
from unspoken.agents.load import agent_names, load_agent
from unspoken.agents.table import Table

__all__ = ["Agent", "State", "Table", "agent_names", "load_agent"]
