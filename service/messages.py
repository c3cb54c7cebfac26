"""What the service itself says to a caller, in English and Chinese."""

from __future__ import annotations

# status -> (slug of the problem type, English title, Chinese title)
TITLES: dict[int, tuple[str, str, str]] = {
    400: ("bad-request", "The request cannot be read", "无法解析请求"),
    404: ("not-found", "There is nothing at this address", "该地址下没有内容"),
    405: ("method-not-allowed", "This address does not take that method", "该地址不支持此请求方法"),
    413: ("too-large", "The request body is too large", "请求体过大"),
    415: (
        "unsupported-media-type",
        "The body must be JSON (Content-Type: application/json)",
        "请求体必须是 JSON（Content-Type: application/json）",
    ),
    422: ("invalid-input", "Part of the request is not valid", "请求中有无效内容"),
    503: ("not-ready", "The service is not ready", "服务尚未就绪"),
}
FALLBACK = (
    "internal-error",
    "Something went wrong in the service; the request id identifies it in the log",
    "服务内部出错；可凭请求编号在日志中查找",
)

# type of a validation error -> (English, Chinese), with the limits of its context
FIELD_MESSAGES: dict[str, tuple[str, str]] = {
    "missing": ("is required", "为必填项"),
    "extra_forbidden": ("is not a field of this request", "不是该请求的字段"),
    "string_type": ("must be a string", "必须是字符串"),
    "string_too_short": ("must have at least {min_length} character(s)", "至少需要 {min_length} 个字符"),
    "string_too_long": ("is too long: at most {max_length} characters", "过长：最多 {max_length} 个字符"),
    "string_pattern_mismatch": ("must match {pattern}", "必须匹配 {pattern}"),
    "int_type": ("must be a whole number", "必须是整数"),
    "int_from_float": ("must be a whole number", "必须是整数"),
    "float_type": ("must be a number", "必须是数字"),
    "finite_number": ("must be a finite number", "必须是有限数"),
    "bool_type": ("must be true or false", "必须是 true 或 false"),
    "list_type": ("must be a list", "必须是列表"),
    "dict_type": ("must be an object", "必须是对象"),
    "model_type": ("must be an object", "必须是对象"),
    "model_attributes_type": ("must be a JSON object", "必须是 JSON 对象"),
    "too_long": ("has too many items: at most {max_length}", "条目过多：最多 {max_length} 个"),
    "literal_error": ("must be one of {expected}", "必须是以下之一：{expected}"),
    "greater_than": ("must be greater than {gt}", "必须大于 {gt}"),
    "greater_than_equal": ("must be at least {ge}", "必须不小于 {ge}"),
    "less_than": ("must be less than {lt}", "必须小于 {lt}"),
    "less_than_equal": ("must be at most {le}", "必须不大于 {le}"),
}

EMPTY_QUESTION = (
    "question is empty: please enter a question / 问题为空，请输入问题",
    "问题为空，请输入问题 / question is empty: please enter a question",
)
LONG_QUESTION = (
    "the question is too long: {length} characters, and the limit is {limit} characters; please shorten it",
    "问题过长：共 {length} 个字符，上限为 {limit} 个字符，请缩短后再提问",
)
LARGE_BODY = ("the request body is too large: the limit is {limit} bytes", "请求体过大：上限为 {limit} 字节")
NOT_JSON = (
    "the body must be JSON, sent with Content-Type: application/json",
    "请求体必须是 JSON，并以 Content-Type: application/json 发送",
)
NOT_UTF8 = ("the body is not valid UTF-8", "请求体不是有效的 UTF-8 编码")
BAD_JSON = ("the body is not valid JSON: {why}", "请求体不是有效的 JSON：{why}")
NOT_FINITE = ("the body holds a number that is not finite (NaN or Infinity)", "请求体中含有非有限数（NaN 或 Infinity）")
SURROGATE = ("the body holds text with an unpaired surrogate", "请求体文本中含有不成对的代理码位")
TOO_DEEP = ("the body is nested too deeply: at most {limit} levels", "请求体嵌套过深：最多 {limit} 层")
NO_ANSWER = ("no answer with this id is kept; ask again", "没有保存该编号的答案，请重新提问")
NO_CONVERSATION = ("no conversation with this id is kept", "没有保存该编号的对话")
NO_ROW = (
    "table {table} has no row {row!r}; GET /v1/specs/{table} lists what there is",
    "表 {table} 中没有条目“{row}”；可用 GET /v1/specs/{table} 查看",
)
NO_TABLE = ("there is no table {table!r}; GET /v1/specs lists what there is", "没有名为“{table}”的表；可用 GET /v1/specs 查看")
