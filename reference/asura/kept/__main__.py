"""`python -m asura.kept` prints the table of constants."""

from asura.kept.table import lines

if __name__ == "__main__":
    for line in lines():
        print(line, flush=True)
