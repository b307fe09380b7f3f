// Continuity's plugin for OpenCode: it records sessions, goes on from handoffs, and says how full the window is.
// `continuity install opencode` wrote it, `continuity uninstall opencode` removes it. Whatever fails here leaves OpenCode at its work.
import { spawn } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const HOOK = [/* HOOK */]
const FOLDER = join(process.env.CONTINUITY_HOME || join(homedir(), ".continuity"), "opencode")
const ANSWER_MS = { PreCompact: 60_000 }
const DEFAULT_MS = 10_000
// In a long turn what is complete is written down so often.
const WRITE_MS = 10_000
const UNNAMED = /^(New|Child) session - /

export const Continuity = async ({ client, directory }) => {
  // By session: `parent` where it is another session's agent, the ids of the messages that stand in its file, and what was done.
  const sessions = new Map()
  const fresh = new Set()

  const known = async (id) => {
    if (!sessions.has(id)) {
      const info = (await client.session.get({ path: { id } })).data ?? {}
      const path = join(FOLDER, `${id}.jsonl`)
      sessions.set(id, { info, path, written: standing(path), begun: false, wroteAt: 0 })
    }
    return sessions.get(id)
  }

  const ask = (event, id, session, more = {}) =>
    new Promise((done) => {
      const given = { hook_event_name: event, session_id: id, transcript_path: session.path, cwd: session.info.directory || directory }
      const child = spawn(HOOK[0], HOOK.slice(1), { stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => child.kill(), ANSWER_MS[event] ?? DEFAULT_MS)
      let said = ""
      child.stdout.on("data", (piece) => (said += piece))
      child.stdin.on("error", () => {})
      child.on("error", () => done({}))
      child.on("close", () => {
        clearTimeout(timer)
        try {
          done(said ? JSON.parse(said) : {})
        } catch {
          done({})
        }
      })
      child.stdin.end(JSON.stringify({ ...given, ...more }))
    })

  const write = async (id, session) => {
    session.wroteAt = Date.now()
    const messages = (await client.session.messages({ path: { id } })).data ?? []
    const lines = []
    for (const { info, parts } of messages) {
      if (session.written.has(info.id)) continue
      if (info.role === "assistant" && !info.time.completed && !info.error) break
      session.written.add(info.id)
      lines.push({ info, parts })
    }
    if (!lines.length) return
    if (!existsSync(session.path)) {
      const about = (await client.session.get({ path: { id } })).data ?? session.info
      lines.unshift({ info: { id, directory: about.directory, ...(UNNAMED.test(about.title) ? {} : { title: about.title }) } })
    }
    mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
    appendFileSync(session.path, lines.map((line) => JSON.stringify(line) + "\n").join(""), { mode: 0o600 })
  }

  const happened = async ({ type, properties }) => {
    if (type === "session.created") fresh.add(properties.info.id)
    const completed = type === "message.updated" && properties.info.role === "assistant" && properties.info.time.completed
    if (type !== "session.idle" && !completed) return
    const id = properties.sessionID ?? properties.info.sessionID
    const session = await known(id)
    if (session.info.parentID) return
    if (type === "session.idle") {
      await write(id, session)
      await ask("Stop", id, session)
    } else if (Date.now() - session.wroteAt >= WRITE_MS) await write(id, session)
  }

  const begins = async (id, output) => {
    const session = await known(id)
    if (session.info.parentID) return
    const prompt = output.parts.map((part) => (part.type === "text" && !part.synthetic ? part.text : "")).join("\n")
    const answers = []
    if (!session.begun) answers.push(await ask("SessionStart", id, session, { source: fresh.has(id) ? "startup" : "resume" }))
    session.begun = true
    answers.push(await ask("UserPromptSubmit", id, session, { prompt }))
    const context = answers.map((answer) => answer.hookSpecificOutput?.additionalContext ?? "").filter(Boolean).join("\n")
    const message = answers.map((answer) => answer.systemMessage ?? "").filter(Boolean).join("\n")
    if (context) {
      const last = output.parts.at(-1)?.id ?? "prt_0"
      output.parts.push({ id: `${last}z`, sessionID: id, messageID: output.message.id, type: "text", text: context, synthetic: true })
    }
    if (message) client.tui.showToast({ body: { message, variant: "info" } }).catch(() => {})
  }

  const compacts = async (id) => {
    const session = await known(id)
    if (session.info.parentID) return
    await write(id, session)
    await ask("PreCompact", id, session, { trigger: "auto" })
  }

  return {
    event: quietly(async ({ event }) => happened(event)),
    "chat.message": quietly(async (input, output) => begins(input.sessionID, output)),
    "experimental.session.compacting": quietly(async (input) => compacts(input.sessionID)),
  }
}

function quietly(work) {
  return async (...given) => {
    try {
      await work(...given)
    } catch {
      // The client's own log and `continuity doctor` tell what it knows; OpenCode goes on.
    }
  }
}

function standing(path) {
  const found = new Set()
  if (!existsSync(path)) return found
  for (const line of readFileSync(path, "utf8").split("\n")) {
    try {
      found.add(JSON.parse(line).info.id)
    } catch {
      // The end of the file, or a line that was cut short.
    }
  }
  return found
}
