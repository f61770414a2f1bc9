"""A bucket of a moto server in this process, which checks each signature and each key's rights.

moto asks neither when a request was signed nor how long a session lasts: `Clock` stands before it,
and refuses those as Amazon does.
"""

import concurrent.futures
import contextlib
import datetime
import json
import logging
import pathlib
import threading

import boto3
from botocore.config import Config
from cluster import SHARDS, tree
from moto.core import DEFAULT_ACCOUNT_ID, enable_iam_authentication
from moto.core.utils import utcnow
from moto.moto_server import werkzeug_app
from moto.sts.models import sts_backends
from werkzeug.serving import make_server


class Clock:
    def __init__(self):
        self.app = werkzeug_app.DomainDispatcherApplication(werkzeug_app.create_backend_app)
        self.ahead = datetime.timedelta()

    def __call__(self, environ, start):
        now, refusal = utcnow() + self.ahead, None
        token = environ.get("HTTP_X_AMZ_SECURITY_TOKEN")
        for role in sts_backends[DEFAULT_ACCOUNT_ID]["aws"].assumed_roles:
            if token == role.session_token and role.expiration < now:
                refusal = "400 Bad Request", "ExpiredToken"
        signed = datetime.datetime.strptime(environ["HTTP_X_AMZ_DATE"], "%Y%m%dT%H%M%SZ")
        if abs(now - signed) > datetime.timedelta(minutes=15):
            refusal = "403 Forbidden", "RequestTimeTooSkewed"
        if not refusal:
            return self.app(environ, start)
        start(refusal[0], [])
        return [f"<Error><Code>{refusal[1]}</Code></Error>".encode()]


class Bucket:
    """It has keys for users and for sessions, as variables of the environment."""

    def __init__(self):
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.clock, handler = Clock(), werkzeug_app.MotoRequestHandler
        server = make_server("127.0.0.1", 0, self.clock, threaded=True, request_handler=handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.port}"
        session = boto3.Session("-", "-", region_name="us-east-1")
        # A session may be over when it begins.
        words = {"endpoint_url": self.url, "config": Config(parameter_validation=False)}
        self.iam, self.sts, s3 = (session.client(name, **words) for name in ["iam", "sts", "s3"])
        s3.create_bucket(Bucket="bucket")

    def user(self, name, *actions):
        self.iam.create_user(UserName=name)
        self.iam.put_user_policy(UserName=name, PolicyName="-", PolicyDocument=policy(actions))
        return variables(self.iam.create_access_key(UserName=name)["AccessKey"])

    def session(self, name, seconds, *actions):
        role = self.iam.create_role(RoleName=name, AssumeRolePolicyDocument=policy([]))["Role"]
        self.iam.put_role_policy(RoleName=name, PolicyName="-", PolicyDocument=policy(actions))
        words = {"RoleArn": role["Arn"], "RoleSessionName": name, "DurationSeconds": seconds}
        return variables(self.sts.assume_role(**words)["Credentials"])


def policy(actions):
    """For objects below the prefix, and the right that docs/distributed.md asks for beside."""
    bucket = "arn:aws:s3:::bucket"
    objects = {"Effect": "Allow", "Action": actions, "Resource": f"{bucket}/a/b/*"}
    listing = {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": bucket}
    return json.dumps({"Version": "2012-10-17", "Statement": [objects, listing]})


def variables(key):
    names = ["AccessKeyId", "SecretAccessKey", "SessionToken"]
    words = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]
    return {word: key[name] for name, word in zip(names, words) if name in key}


def watch(lines, is_over):
    """Collects the arguments of our programs, which everybody can read."""
    while not is_over.wait(0.02):
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                words = path.read_text(errors="replace")
                lines |= {words} if "sitegen" in words else set()


def run(trial, expect):
    bucket, get, put = Bucket(), "s3:GetObject", "s3:PutObject"
    writer, reader = bucket.user("writer", get, put), bucket.user("reader", get)
    node, late = bucket.session("node", 3600, get, put), bucket.session("late", -1, get, put)
    wrong = {**reader, "AWS_SECRET_ACCESS_KEY": "not-the-secret-of-this-key"}
    other = {**node, "AWS_SESSION_TOKEN": "not-the-token-of-this-session"}
    keys = [writer, reader, node, late, wrong, other]
    secrets = {key[name] for key in keys for name in key if name != "AWS_ACCESS_KEY_ID"}
    plain = {**trial.environment, "AWS_ENDPOINT_URL_S3": bucket.url, "AWS_REGION": "us-east-1"}
    trial.address, site = "s3://bucket/a/b", str(trial.site)
    doctor, writes = ["doctor", *trial.stored], ["--store-mode", "readwrite"]

    def use(key):
        trial.environment = {**plain, **key}

    def build(name):
        places = ["-o", str(trial.folder / name), "--cache", str(trial.folder / f"{name}.cache")]
        return ["build", site, *trial.stored, *places, "--strict"]

    def built(name, *more):
        trial.sitegen(*build(name), *more)
        trial.compare(trial.folder / name)
        return json.loads((trial.folder / f"{name}.cache/report.json").read_text())["counters"]

    def refused(key, words, *commands):
        use(key)
        for status, *command in commands:
            said = trial.call(*command)
            text = f"status {said.returncode}: {said.stdout}{said.stderr}"
            is_told = said.returncode == status and f": it answered {words}" in text
            expect(is_told, f"{command[0]} as one who hears {words!r}: {text}")
        trial.say(f"refused: {words}")

    def good():
        use(writer)
        trial.prepare(people=120)
        render = ["render", *trial.planned, "--shard"]
        puts = [(3, *render, "0"), (1, *doctor, *writes), (0, *build("own"), *writes)]
        refused(reader, "403 AccessDenied: is this key right, and may it write?", *puts)
        use(node)
        shards = [*range(SHARDS), *trial.random.sample(range(SHARDS), 6)]
        trial.random.shuffle(shards)
        with concurrent.futures.ThreadPoolExecutor(4) as nodes:
            list(nodes.map(lambda shard: trial.sitegen(*render, str(shard)), shards))
        trial.sitegen(*doctor, *writes)
        expect(built("first", *writes)["storeWrites"] > 100, "a build gave the store nothing")
        use(reader)
        trial.sitegen(*doctor)
        expect(trial.missing() == "", "something is missing")
        trial.sitegen("assemble", site, *trial.planned)
        trial.compare()
        expect(built("second")["storeHits"] > 100, "a build took nothing from the store")

    def bad(name, key, words):
        plan, planned = ["plan", site, *trial.stored], trial.planned
        work = [plan, ["render", *planned], ["status", *planned], ["assemble", site, *planned]]
        refused(key, words, *((3, *command) for command in work), (1, *doctor), (0, *build(name)))
        trial.compare(trial.folder / name)

    lines, is_over = set(), threading.Event()
    watcher = threading.Thread(target=watch, args=(lines, is_over))
    watcher.start()
    try:
        with enable_iam_authentication():
            good()
        bucket.iam.delete_user_policy(UserName="writer", PolicyName="-")
        bucket.iam.delete_user(UserName="writer")
        with enable_iam_authentication():
            may = "is this key right, and may it read?"
            bad("wrong", wrong, f"403 SignatureDoesNotMatch: {may}")
            bad("gone", writer, f"403 InvalidAccessKeyId: {may}")
            bad("other", other, "400 InvalidToken: set AWS_SESSION_TOKEN")
            bad("late", late, "400 ExpiredToken: set AWS_SESSION_TOKEN")
            bucket.clock.ahead = datetime.timedelta(hours=1)
            bad("skewed", node, "403 RequestTimeTooSkewed: set the clock of this machine")
    finally:
        is_over.set()
        watcher.join()
    expect(any("sitegen-fetcher" in line for line in lines), "nobody saw who asks the store")
    texts = [text.encode() for text in trial.said + list(lines)] + list(tree(trial.folder).values())
    found = [text[:200] for text in texts if any(secret.encode() in text for secret in secrets)]
    expect(not found, f"a secret in {found[:1]}")
    trial.say(f"no secret in {len(texts)} outputs, arguments and files")
