"""The conformance kit: cases for every operation, and their runs on a side.

In reading order: `recipes` lists the cases that the cards of operations ask for, with ids that stay;
`values` chooses operands that matter; `texts` writes programs; `subjects` evaluates them with the reference;
`cases` puts them into places; `judging` compares results with them; `running` evaluates cases on a side;
`reduced` writes programs that show failures;
`files` and `checks` write cases as self-checking programs, and read the results of runners elsewhere;
`sample` is the part of the kit for a budget; `profiles` say what a backend claims; `report` and `outputs`
have the tables; `run` is what the command calls.
"""
