#!/usr/bin/env python3
"""A note store of one JSON file a document, and its driver: Docs/reference/driver-protocol.md in Python.

    lnote-scenario conform --driver "python3 Docs/nightly/own_store.py"
"""
import base64, errno, fcntl, hashlib, json, os, sys

class Refusal(Exception):
    """(kind, message) of an error that is no failed call."""

def save(path, data):
    """On disk before it has its name, and the name on disk before anybody is told."""
    with open(path + ".new", "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.rename(path + ".new", path)
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    try: os.fsync(folder)
    finally: os.close(folder)

class Document:
    def __init__(self, path, title=None):
        if title is None and not os.path.exists(path): raise Refusal("not-found", "there is no such document")
        if title is not None and os.path.exists(path): raise Refusal("exists", "the document is there already")
        self.path, self.undone, self.done, self.changed, self.due = path, [], [], set(), None
        self.lock = os.open(path + ".lock", os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if title is None:
                with open(path, "rb") as file: self.content = json.load(file)
            else:
                self.content = {"title": title, "pages": []}
                self.save()
        except (OSError, ValueError) as error:
            os.close(self.lock)
            if isinstance(error, BlockingIOError): raise Refusal("locked", "another program has the document open")
            raise error if isinstance(error, OSError) else Refusal("damaged", "the document cannot be understood")

    def save(self):
        save(self.path, json.dumps(self.content).encode())
        self.changed, self.due = set(), None

    def page(self, identity):
        for page in self.content["pages"]:
            if page["id"] == identity: return page
        raise Refusal("not-found", "no such page")

    def place(self, page, element):
        for place, one in enumerate(page["elements"]):
            if one["id"] == element: return place
        raise Refusal("not-found", "no such element")

    def change_pages(self, do, c):
        """Title and pages; these are not undone."""
        pages = self.content["pages"]
        if do == "title": self.content["title"] = c["title"]
        elif do == "add-page":
            new = {"id": c["page"], "width": c["width"], "height": c["height"], "elements": []}
            if any(page["id"] == new["id"] for page in pages): raise Refusal("exists", "the page is there already")
            pages.insert(len(pages) if c.get("at") is None else c["at"], new)
        else:
            page = self.page(c["page"])
            pages.remove(page)
            if do == "move-page": pages.insert(c["to"], page)
            else: self.done, self.undone = ([e for e in list if e[0] != c["page"]] for list in (self.done, self.undone))
        self.changed.add(None)

    def change(self, do, c):
        """Elements of a page: a new list takes the place of the old one, which undo brings back."""
        if do in ("undo", "redo"):
            taken, given = (self.done, self.undone) if do == "undo" else (self.undone, self.done)
            if not taken: raise Refusal("invalid", "there is nothing to " + do)
            identity, elements = taken.pop()
        else:
            identity, given, self.undone = c["page"], self.done, []
            elements = list(self.page(identity)["elements"])
            if do == "add-stroke": elements.append({"type": "stroke", **c["stroke"]})
            elif do == "insert-image":
                jpeg = base64.b64decode(c["jpeg"])
                save(os.path.join(os.path.dirname(self.path), c["asset"] + ".jpg"), jpeg)
                elements.append({"type": "image", "id": c["element"], "rotation": 0, "assetLength": len(jpeg),
                                 "assetDigest": hashlib.md5(jpeg).hexdigest(),
                                 **{key: c[key] for key in ("asset", "x", "y", "width", "height")}})
            else:
                place = self.place(self.page(identity), c["element"])
                old = elements[place]
                if do == "erase": elements[place:place + 1] = [{"type": "stroke", **piece} for piece in c["pieces"]]
                elif do == "delete-element": del elements[place]
                elif old["type"] == "image": elements[place] = {**old, "x": old["x"] + c["dx"], "y": old["y"] + c["dy"]}
                else:
                    by = (c["dx"], c["dy"], 0, 0, 0)
                    elements[place] = {**old, "samples": [n + by[i % 5] for i, n in enumerate(old["samples"])]}
        page = self.page(identity)
        given.append((identity, page["elements"]))
        page["elements"] = elements
        self.changed.add(identity)

class Store:
    def __init__(self, root, autosave):
        self.root, self.autosave, self.now, self.open, self.durable, self.errors = root, autosave, 0, {}, {}, []

    def save(self, identity):
        """True where nothing is unsaved any more; else the error is told, and the next save tries again."""
        document = self.open[identity]
        changed = document.changed
        try:
            if changed: document.save()
        except OSError as error:
            document.due = self.now + self.autosave
            self.fail("file-call", str(error), "fsync", error)
            return False
        for page in changed: self.durable[identity, page] = self.number
        return True

    def fail(self, kind, message, call=None, error=None):
        name = errno.errorcode.get(error.errno, "EIO") if error else None
        self.errors.append({"kind": kind, "call": call, "errno": name, "message": message})

    def perform(self, do, c):
        identity = c.get("document")
        path = os.path.join(self.root, str(identity) + ".json")
        if do in ("create-document", "open"):
            if identity in self.open: raise Refusal("exists", "it is open")
            self.open[identity] = document = Document(path, c["title"] if do == "create-document" else None)
            if do == "create-document": self.durable[identity, None] = self.number
            return {"type": "document", "document": identity, "title": document.content["title"],
                    "pages": [page["id"] for page in document.content["pages"]]}
        if do in ("advance", "advance-until-saved", "background", "foreground"):
            due = [d.due for d in self.open.values() if d.due is not None]
            if do == "advance": self.now += c["milliseconds"]
            if do == "advance-until-saved" and due: self.now = min(due)
            for one in list(self.open):
                if do == "background" or self.open[one].changed and self.open[one].due <= self.now: self.save(one)
            return None
        if do == "list":
            names = sorted(name for name in os.listdir(self.root) if name.endswith(".json"))
            return {"type": "library", "documents": [{"document": name[:-5], "hasCover": False} for name in names]}
        if do not in COMMANDS: raise Refusal("invalid", "there is no such command")
        if identity not in self.open: raise Refusal("not-found", "the document is not open")
        document = self.open[identity]
        if do in ("close", "let-go"):
            if do == "let-go" or self.save(identity): os.close(self.open.pop(identity).lock)
        elif do == "read-page":
            return {"type": "page", "document": identity, "page": c["page"], **document.page(c["page"])}
        else:
            (document.change_pages if do in PAGES else document.change)(do, c)
            document.due = self.now + self.autosave
            if do == "insert-image": self.assets = [{"document": identity, "asset": c["asset"]}]

    def answer(self, line):
        self.number, self.errors, self.durable, self.assets, payload = 0, [], {}, [], None
        try:
            command = json.loads(line)
            self.number = command["number"]
            payload = self.perform(command["do"], command)
        except Refusal as refusal: self.fail(*refusal.args)
        except OSError as error: self.fail("file-call", str(error), "open", error)
        except (ValueError, KeyError, TypeError) as error: self.fail("invalid", "this line is no command: %s" % error)
        told = [{"document": d, "page": p, "upTo": n} for (d, p), n in self.durable.items()]
        late = [{"document": d, "page": p} for d in self.open for p in self.open[d].changed]
        return {"number": self.number, "errors": self.errors, "payload": payload,
                "durable": {"pages": [one for one in told if one["page"]], "assets": self.assets,
                            "documents": [{"document": one["document"], "upTo": one["upTo"]} for one in told]},
                "unsaved": {"pages": [one for one in late if one["page"]],
                            "documents": [one["document"] for one in late if not one["page"]]}}

PAGES = ("title", "add-page", "delete-page", "move-page")
COMMANDS = PAGES + ("close", "let-go", "read-page", "undo", "redo", "add-stroke", "erase", "move-element",
                    "delete-element", "insert-image")

def say(message): print(json.dumps(message), flush=True)

def serve(store):
    """Each line is answered, until there are no more."""
    for line in sys.stdin: say(store.answer(line))
    return 0

def main(make_store=Store):
    say({"hello": "own-store", "protocol": 1, "engines": ["snapshot"], "mutants": []})
    start = json.loads(sys.stdin.readline())
    if start["protocol"] != 1:
        say({"ready": False, "message": "this driver speaks protocol 1"})
        return 2
    store = make_store(start["root"], start.get("autosave") or 500)
    say({"ready": True})
    return serve(store)

if __name__ == "__main__": sys.exit(main())
