#!/bin/sh
# UserPromptSubmit hook of Claude Code: when the prompt speaks of handing work to another model, the session is told that
# Delegation Bridge is there. Looks at nothing but the field "prompt" of what it reads, keeps and repeats none of it, says
# nothing in every other case, and ends with 0 whatever happens. Needs sh, awk, head and cat.
LC_ALL=C
export LC_ALL
{
  # Enough for any prompt that somebody typed; the rest is read so that the writer is not cut off.
  head -c 65536
  cat >/dev/null
} 2>/dev/null | awk '
# JSON has no control characters, so that the whole input is one record.
BEGIN { RS = "\001" }

NR == 1 {
  prompt = promptOf($0)
  if (prompt != "" && !isAboutBridge(prompt) && asksToDelegate(prose(prompt))) {
    printf "%s", "{\"hookSpecificOutput\":{\"hookEventName\":\"UserPromptSubmit\",\"additionalContext\":"
    printf "%s", "\"Delegation Bridge is set up here: its MCP server delegate hands bounded tasks to models that run elsewhere. "
    printf "%s", "If the user means that some work should go to another model, load the skill delegate (or call mcp__delegate__list_models) "
    print "before you start on it yourself. If the words meant something else, go on as usual.\"}}"
  }
}

# The value of the key "prompt" of the outermost object, with its escapes undone as far as they matter here.
function promptOf(json,    parts, n, i, depth, outside) {
  gsub(/[\t\r\n]/, " ", json)
  gsub(/\\\\/, " ", json)
  gsub(/\\"/, " ", json)
  # Now every quote begins or ends a string: odd parts are outside of strings.
  n = split(json, parts, "\"")
  depth = 0
  for (i = 1; i + 3 <= n; i += 2) {
    outside = parts[i]
    depth += gsub(/[{[]/, "", outside)
    depth -= gsub(/[]}]/, "", outside)
    if (depth == 1 && parts[i + 1] == "prompt" && parts[i] !~ /: *$/ && parts[i + 2] ~ /^ *: *$/) {
      return unescaped(parts[i + 3])
    }
  }
  return ""
}

function unescaped(text) {
  gsub(/\\n/, "\n", text)
  gsub(/\\u[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]/, " ", text)
  gsub(/\\./, " ", text)
  return tolower(text)
}

# A command, a message of a program, or a prompt that names the tools or a job already.
function isAboutBridge(text) {
  if (text ~ /^[ \n]*[\/<!#]/) return 1
  if (text ~ /mcp__delegate|delegate-relay|delegation.bridge|run_agent/) return 1
  if (text ~ /(^|[^a-z])delegate (wait|jobs|doctor|gc|mcp|rehearse|setup)([^a-z]|$)/) return 1
  return text ~ /[a-z0-9]-20[0-9][0-9][01][0-9][0-3][0-9]-[0-2][0-9][0-5][0-9][0-5][0-9]-[a-z2-7][a-z2-7][a-z2-7][a-z2-7][a-z2-7][a-z2-7]/
}

# Words between single blanks, one sentence a line; without code, quotations and whatever looks like a name in a program.
function prose(text,    lines, n, i, isCode, words) {
  n = split(text, lines, "\n")
  isCode = 0
  words = ""
  for (i = 1; i <= n; i++) {
    if (lines[i] ~ /^ *(```|~~~)/) { isCode = !isCode; continue }
    if (isCode || lines[i] ~ /^(    |\t| *>)/) continue
    words = words lines[i] "\n"
    if (length(words) > 65536) break
  }
  if (length(words) > 8000) words = substr(words, 1, 4000) "\n" substr(words, length(words) - 3999)
  gsub(/`[^`\n]*`/, " _ ", words)
  gsub(/[*"]/, " ", words)
  gsub(/\342\200\231/, "\047", words)
  gsub(/[.?!;:,)]+[ \n]/, "\n", words)
  gsub(/[a-z0-9_]\(/, "_", words)
  gsub(/[.:;=@\/]/, "_", words)
  gsub(/[^a-z0-9_\047\n-]+/, " ", words)
  return words
}

function asksToDelegate(text,    sentences, n, i) {
  n = split(text, sentences, "\n")
  for (i = 1; i <= n; i++) if (isRequest(" " sentences[i] " ")) return 1
  return 0
}

function isRequest(s,    word, few, who, kind, name, object) {
  gsub(/ +/, " ", s)
  if (s !~ /delegat|offload|local|hand|giv|farm|outsourc|pass|send/) return 0
  if (s ~ / (not|never|don\047t|dont|stop|avoid|without|instead of) /) return 0
  word = "( [a-z0-9_\047-]+)?"
  few = word word word word word word word word
  who = "(a |an |the |my |our |some |another |one of the |one of my )?"
  kind = "(local|cheaper|cheap|smaller|small|other|different|remote|free|weaker|faster|open|background) "
  name = "((qwen|glm|deepseek|gpt-oss|llama|mistral|devstral|codestral|kimi|minimax|gemma|codex|gemini|ollama|vllm|lmstudio)[a-z0-9_-]*|delegation bridge) "
  if (s ~ (" (delegate|delegating|offload|offloading|hand|handing|farm|farming|outsource|outsourcing)" few " to " who "(" kind ")*(models? |llms? |junior |" name ")")) return 1
  # In programs things are given, passed and sent to models all the time.
  if (s ~ (" (give|giving|pass|passing|send|sending) (this|that|it|these|those|them|the (task|tasks|work|job|jobs|rest)) to " who "(" kind "(models?|llms?) |" name ")")) return 1
  if (s ~ / (on|with|using|use|via|by|have|let|ask|through) (a |an |the |my |our |some |one of the |one of my )?local (models?|llms?) /) return 1
  if (s ~ / (farm|farming) (this|that|it|these|those|them|the [a-z-]+|some of [a-z-]+) out /) return 1

  if (s ~ / (run|do|handle|execute) (this|that|it|these|(the|this|that|these) (tasks?|jobs?|work|refactor|refactoring|rewrite|port|migration|changes?|analysis|summary|prompt|brief)) locally /) {
    return s !~ / (how|why|when|if|can\047t|cannot|could|error|errors|fails?|failed|tests?|server|app|site|docker|build|install|npm|dev|debug) /
  }

  # Names of things in programs and organisations.
  gsub(/ (a|an|the|this|that|its|my|our|your|their|each|every|no|any|event|custom|app|view|table|new|weak|which|another|existing|multicast|func|action|property|session|location) delegates? /, " _ ", s)
  gsub(/ (delegate|delegating) (methods?|class|classes|objects?|patterns?|protocols?|types?|functions?|callbacks?|events?|calls?|invocations?|property|properties|keyword|declarations?|signatures?|instances?|tokens?|chains?|interfaces?|implementations?|variables?|fields?|parameters?|arguments?|access|permissions?) /, " _ ", s)
  if (s ~ / (base|super|parent|inner|wrapped|underlying|subclass|superclass|handler|service|prototype|constructor|component|controller|repository|class|method|method\047s|calls?|callback|event|events|request|requests|permission|permissions|responsibility|authority|rendering|object|interface) /) return 0
  object = " (this|that|it|these|those|them|everything|all|each|some|most|part|parts|both|one|as much|the|a|an|work|tasks?|jobs?|any) "
  if (s ~ (" (delegate|delegating|outsource|outsourcing)" object)) return 1
  if (s ~ / (please|you|and|then|to|should|could|can|may|must|let\047s|just) delegate $/) return 1
  if (s ~ / (layers?|kv|cache|tensors?|weights|checksum|tls|ssl|tcp|nic|cpu|gpu|vram|hardware|threads?|workers?|cdn|queue|s3|disk|main) /) return 0
  return s ~ / (offload|offloading) (this|that|it|these|those|them|some of|part of|parts of|work|tasks?|the (tasks?|work|jobs?|rest|boring|refactor|refactoring|tests|docs|port)) /
}
' 2>/dev/null
exit 0
