"""Tables brought to each point that a console's request can meet."""

from tests.shoe.table import Table


def fresh() -> Table:
    return Table()


def opened() -> Table:
    table = Table()
    table.open()
    return table


def closed() -> Table:
    table = opened()
    table.close()
    return table


def loaded() -> Table:
    table = opened()
    table.load()
    return table


def physical() -> Table:
    table = opened()
    table.load("physical")
    return table


def betting() -> Table:
    table = loaded()
    table.open_round(1)
    return table


def played() -> Table:
    """Two rounds are settled."""
    table = loaded()
    table.play_round(1)
    table.play_round(2)
    return table


def unsettled() -> Table:
    table = betting()
    table.void(1)
    return table


def ended() -> Table:
    """Shoe 1 has ended after two rounds, and no other is loaded."""
    table = played()
    table.end_shoe()
    return table


def second_shoe() -> Table:
    table = ended()
    table.load(number=2)
    return table
